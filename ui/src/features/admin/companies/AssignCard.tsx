import { ActionIcon, Select, Title, Tooltip } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { Link } from "react-router";
import useSWR from "swr";
import { keys } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/admin";
import { IconX } from "../../../platform/theme/icons";
import styles from "../users/users.module.css";
import { search, type Found } from "./data";

const AFTER_MS = 250;

interface Props {
  title: string;
  what: "users" | "teams";
  rows: (Found & { link?: string })[];
  disabled: boolean;
  onAdd: (id: string) => Promise<void>;
  onRemove: (id: string) => Promise<void>;
}

/** Who belongs to a company. A search adds; what is added leaves its former company. */
export function AssignCard({ title, what, rows, disabled, onAdd, onRemove }: Props) {
  const [words, setWords] = useState("");
  const [asked] = useDebouncedValue(words, AFTER_MS);
  const { data: found = [] } = useSWR<Found[], Error>(
    asked.trim() === "" ? null : keys.adminList(`find ${what} ${asked}`),
    () => search(what, asked),
    { keepPreviousData: true },
  );
  const held = new Set(rows.map(({ id }) => id));
  const label = t(what === "users" ? "companies.addUser" : "companies.addTeam");
  return (
    <section className={`card ${styles.section}`} aria-label={title}>
      <Title order={2}>{title}</Title>
      <Select
        label={label}
        placeholder={t("companies.nameMissing")}
        searchable
        disabled={disabled}
        value={null}
        searchValue={words}
        onSearchChange={setWords}
        filter={({ options }) => options}
        nothingFoundMessage={asked.trim() === "" ? undefined : t("companies.nothingFound")}
        data={found
          .filter(({ id }) => !held.has(id))
          .map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint})` }))}
        onChange={(id) => {
          if (id !== null) void onAdd(id).then(() => setWords(""));
        }}
      />
      <ul className={styles.rows}>
        {rows.map(({ id, name, hint, link }) => (
          <li key={id}>
            <span>
              {link === undefined ? name : <Link to={link}>{name}</Link>}{" "}
              <span className="quiet">{hint}</span>
            </span>
            <Tooltip label={t("companies.remove")}>
              <ActionIcon
                aria-label={t("companies.removeName", { name })}
                disabled={disabled}
                onClick={() => void onRemove(id)}
              >
                <IconX size={16} />
              </ActionIcon>
            </Tooltip>
          </li>
        ))}
        {rows.length === 0 && <li className="quiet">{t("companies.noneYet")}</li>}
      </ul>
    </section>
  );
}
