import { ActionIcon, Button, Input, Select, TextInput, Tooltip } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import useSWR from "swr";
import { keys } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/admin";
import { IconPlus, IconX } from "../../../platform/theme/icons";
import { search, type Found } from "../companies/data";
import type { ProviderDraft } from "./data";
import styles from "./providers.module.css";

type TeamGroup = ProviderDraft["team_groups"][number];

const AFTER_MS = 250;
const ROLES = [
  { value: "viewer", label: t("providers.role.viewer") },
  { value: "editor", label: t("providers.role.editor") },
  { value: "owner", label: t("providers.role.owner") },
];

interface Props {
  groups: TeamGroup[];
  /** Of the teams that the groups name, by id. */
  names: Record<string, string>;
  error: string | undefined;
  onChange: (groups: TeamGroup[]) => void;
}

/** Which group leads to which team, and in which role. */
export function TeamGroups({ groups, names, error, onChange }: Props) {
  const change = (at: number, changed: Partial<TeamGroup>) =>
    onChange(groups.map((group, index) => (index === at ? { ...group, ...changed } : group)));
  return (
    <Input.Wrapper
      label={t("providers.teamGroups")}
      description={t("providers.teamGroups.about")}
      error={error}
    >
      <div className={styles.groups}>
        {groups.map((group, index) => (
          <div key={index} className={styles.group}>
            <TextInput
              aria-label={t("providers.group")}
              placeholder={t("providers.group")}
              maxLength={300}
              value={group.group}
              onChange={({ currentTarget }) => change(index, { group: currentTarget.value })}
            />
            <TeamChoice
              team={group.team_id}
              name={names[group.team_id]}
              onChange={(team_id) => change(index, { team_id })}
            />
            <Select
              aria-label={t("providers.role")}
              data={ROLES}
              value={group.role}
              allowDeselect={false}
              onChange={(role) =>
                role !== null && change(index, { role: role as TeamGroup["role"] })
              }
            />
            <Tooltip label={t("providers.removeGroup")}>
              <ActionIcon
                aria-label={t("providers.removeGroup")}
                onClick={() => onChange(groups.filter((_, other) => other !== index))}
              >
                <IconX size={16} />
              </ActionIcon>
            </Tooltip>
          </div>
        ))}
        <div>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={15} />}
            onClick={() => onChange([...groups, { group: "", team_id: "", role: "editor" }])}
          >
            {t("providers.addGroup")}
          </Button>
        </div>
      </div>
    </Input.Wrapper>
  );
}

interface ChoiceProps {
  team: string;
  name: string | undefined;
  onChange: (team: string) => void;
}

function TeamChoice({ team, name, onChange }: ChoiceProps) {
  const [chosen, setChosen] = useState<{ value: string; label: string } | undefined>(
    team === "" ? undefined : { value: team, label: name ?? t("providers.teamGone") },
  );
  const [words, setWords] = useState(chosen?.label ?? "");
  const [asked] = useDebouncedValue(words, AFTER_MS);
  const { data: found = [] } = useSWR<Found[], Error>(
    asked.trim() === "" || asked === chosen?.label ? null : keys.adminList(`find teams ${asked}`),
    () => search("teams", asked),
    { keepPreviousData: true },
  );
  const offered = found.map(({ id, name: label }) => ({ value: id, label }));
  const data =
    chosen === undefined || offered.some(({ value }) => value === chosen.value)
      ? offered
      : [chosen, ...offered];
  return (
    <Select
      aria-label={t("providers.team")}
      placeholder={t("providers.team.placeholder")}
      searchable
      value={team === "" ? null : team}
      searchValue={words}
      onSearchChange={setWords}
      filter={({ options }) => options}
      data={data}
      onChange={(value, option) => {
        setChosen(value === null ? undefined : { value, label: option?.label ?? value });
        onChange(value ?? "");
      }}
    />
  );
}
