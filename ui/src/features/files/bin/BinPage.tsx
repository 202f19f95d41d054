import { Button, Checkbox, Group, Modal, Pagination, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { t } from "../../../platform/messages/library";
import { t as f } from "../../../platform/messages/files";
import { EmptyState } from "../../../platform/page/EmptyState";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { IconFolder, IconRestore, IconTrash } from "../../../platform/theme/icons";
import { useSession } from "../../../domain/person/session";
import Owner from "../../teams/Owner";
import { BIN_PER_PAGE, useBin, useBinActions, type BinnedFile } from "./binData";
import { ListProblem } from "../FileGrid";
import { bytes, clock, day } from "../../../domain/files/format";
import { LookOnlyLater } from "../../../domain/teams/LookOnlyLater";
import styles from "./bin.module.css";

type Ask = { title: string; act: () => Promise<boolean> };

/** Deleted files, until they are deleted for good. */
export default function BinPage() {
  usePageTitle(f("bin"));
  const navigate = useNavigate();
  const [page, setPage] = useState(1);
  const { data, error, mutate } = useBin(page);
  const actions = useBinActions();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [ask, setAsk] = useState<Ask>();

  const files = data?.data ?? [];
  const total = data?.meta.total ?? 0;
  const chosenFiles = files.filter(({ id }) => chosen.has(id));
  const ids = chosenFiles.map(({ id }) => id);
  const { user } = useSession();
  const onlyLooks =
    user?.browse_as?.may_change === false ||
    user?.teams.some((team) => team.is_active && team.role === "viewer") === true;
  const choose = (wanted: readonly string[], isChosen: boolean) =>
    setChosen((held) => {
      const next = new Set(held);
      for (const id of wanted) {
        if (isChosen) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  const run = (work: Promise<boolean>) => void work.then((done) => done && setChosen(new Set()));
  const pages = Math.ceil(total / BIN_PER_PAGE);

  const header = (
    <Group justify="space-between" mb="lg">
      <Title order={1}>{f("bin")}</Title>
      <Group gap="xs">
        <Button
          component={Link}
          to="/dashboard"
          variant="default"
          leftSection={<IconFolder size={17} />}
        >
          {t("allFiles")}
        </Button>
        {files.some((file) => file.may_purge) && (
          <Button
            variant="default"
            leftSection={<IconTrash size={17} />}
            onClick={() => setAsk({ title: t("bin.empty.question"), act: actions.empty })}
          >
            {t("bin.empty.label")}
          </Button>
        )}
      </Group>
    </Group>
  );
  if (data === undefined && error !== undefined) {
    return (
      <>
        {header}
        <ListProblem error={error} onRetry={() => void mutate()} />
      </>
    );
  }
  if (data === undefined || total === 0) {
    return (
      <>
        {header}
        <EmptyState
          loading={data === undefined}
          title={t("bin.isEmpty")}
          description={
            <>
              {t("bin.about")}
              {onlyLooks && <LookOnlyLater about="bin" />}
            </>
          }
          hero="silence"
          add={{
            label: t("bin.toFiles"),
            contentType: "file",
            onAdd: () => void navigate("/dashboard"),
          }}
        />
      </>
    );
  }
  return (
    <>
      {header}
      <div className={styles.tools}>
        <Checkbox
          label={
            ids.length === 0
              ? t("bin.totalDeleted", { total })
              : t("bin.idsSelected", { ids: ids.length })
          }
          aria-label={t("bin.selectPage")}
          checked={ids.length === files.length}
          indeterminate={ids.length > 0 && ids.length < files.length}
          onChange={(event) =>
            choose(
              files.map(({ id }) => id),
              event.currentTarget.checked,
            )
          }
        />
        {ids.length > 0 && (
          <Group gap={6}>
            {chosenFiles.every((file) => file.may_change) && (
              <Button
                size="compact-md"
                leftSection={<IconRestore size={16} />}
                onClick={() => run(actions.restore(ids))}
              >
                {t("bin.restoreSelected")}
              </Button>
            )}
            {chosenFiles.every((file) => file.may_purge) && (
              <Button
                size="compact-md"
                variant="default"
                onClick={() =>
                  setAsk({
                    title:
                      ids.length === 1
                        ? t("bin.delete1File")
                        : t("bin.delete.question", { ids: ids.length }),
                    act: () => actions.purge(ids),
                  })
                }
              >
                {t("bin.delete.selected")}
              </Button>
            )}
          </Group>
        )}
      </div>
      <ul className={styles.files} aria-label={t("bin.deletedFiles")}>
        {files.map((file) => (
          <Row
            key={file.id}
            file={file}
            isChosen={chosen.has(file.id)}
            onChoose={(isChosen) => choose([file.id], isChosen)}
            onRestore={() => run(actions.restore([file.id]))}
            onPurge={() =>
              setAsk({
                title: t("bin.delete.named", { fileName: file.name }),
                act: () => actions.purge([file.id]),
              })
            }
          />
        ))}
      </ul>
      {onlyLooks && <LookOnlyLater about="bin" />}
      {pages > 1 && (
        <Pagination mt="lg" total={pages} value={Math.min(page, pages)} onChange={setPage} />
      )}
      <Modal opened={ask !== undefined} onClose={() => setAsk(undefined)} title={ask?.title}>
        <Text>{t("bin.delete.about")}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={() => setAsk(undefined)} data-autofocus>
            {t("bin.keep")}
          </Button>
          <Button
            color="red"
            onClick={() => {
              if (ask !== undefined) run(ask.act());
              setAsk(undefined);
            }}
          >
            {t("bin.delete.confirm")}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

interface RowProps {
  file: BinnedFile;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onRestore: () => void;
  onPurge: () => void;
}

function Row({ file, isChosen, onChoose, onRestore, onPurge }: RowProps) {
  const facts = [
    file.duration_ms === null ? "" : clock(file.duration_ms),
    file.size_bytes === null ? "" : bytes(file.size_bytes),
    t("bin.deletedAt", { deletedAt: day(file.deleted_at) }),
  ];
  return (
    <li className={styles.file} data-testid="binned" data-slug={file.slug}>
      <Checkbox
        aria-label={f("select.one", { fileName: file.name })}
        checked={isChosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      <div className={styles.words}>
        <strong>{file.name}</strong>
        <span className="quiet">{facts.filter((fact) => fact !== "").join(" · ")}</span>
        <Owner team={file.team_id} />
      </div>
      <span className={styles.left} data-soon={file.days_left < 4 || undefined}>
        {leftWords(file.days_left)}
      </span>
      <Group gap={6} wrap="nowrap">
        {file.may_change && (
          <Button size="compact-sm" variant="light" onClick={onRestore}>
            {t("restore")}
            <span className="visually-hidden"> {file.name}</span>
          </Button>
        )}
        {file.may_purge && (
          <Button size="compact-sm" variant="subtle" color="red" onClick={onPurge}>
            {t("bin.delete.confirm")}
            <span className="visually-hidden"> {file.name}</span>
          </Button>
        )}
      </Group>
    </li>
  );
}

function leftWords(days: number): string {
  if (days === 0) return t("bin.goesToday");
  return t("bin.days", { days });
}
