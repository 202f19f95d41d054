import { Badge, Button, CloseButton, TextInput } from "@mantine/core";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { EmptyState } from "../../../platform/page/EmptyState";
import { t } from "../../../platform/messages/editing";
import { toast } from "../../../platform/notices/toast";
import type { PanelProps } from "../../editor/panels/panel";
import { useView } from "../../editor/useView";
import { forgetVersion, keepVersion, restoreVersion, useVersions, type Version } from "./data";
import { Change } from "./Change";
import { groupsOf } from "./groups";
import { VersionDifferences } from "./VersionDifferences";
import { nameOf, titleOf, whenOf } from "./words";
import styles from "./history.module.css";

/** A list of 260 rows is short enough to render, but nobody looks at more at once. */
const SHOWN = 60;

/** Every change with who made it and when; versions can be named, compared with now and restored. */
export default function HistoryPanel({ file, editing, readOnly }: PanelProps) {
  const { store } = editing;
  const language = useView(store, (view) => view.captions.language);
  const revision = useView(store, (view) => view.captions.revision);
  const { data, error, mutate } = useVersions(file.slug, language);
  const lines = useDeferredValue(useView(store, (view) => view.captions.lines));
  const numberOf = useMemo(() => new Map(lines.map(({ id }, at) => [id, at + 1])), [lines]);
  const [open, setOpen] = useState<number>();
  const [shown, setShown] = useState(SHOWN);

  useEffect(() => void mutate(), [revision, mutate]);

  if (data === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <p className={styles.problem} role="alert">
        {error.message}
        <Button variant="subtle" size="compact-sm" onClick={() => void mutate()}>
          {t("together.tryAgain")}
        </Button>
      </p>
    );
  }

  const attempt = async (action: () => Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (problem) {
      toast("error", (problem as Error).message);
    }
  };
  const restore = (number: number, lines?: string[]) =>
    attempt(async () => {
      if (!(await store.settled())) {
        toast("warning", t("together.notSaved"));
        return;
      }
      const issued = store.get().captions.revision;
      const body = { language, issued, ...(lines === undefined ? {} : { lines }) };
      store.expect(await restoreVersion(file.slug, number, body));
      toast("success", lines === undefined ? t("together.restored") : t("together.lineRestored"));
    });
  const forget = (number: number) =>
    attempt(
      async () =>
        void (await mutate(forgetVersion(file.slug, language, number), { revalidate: false })),
    );

  const byNumber = new Map(data.versions.map((version) => [version.number, version]));
  const groups = groupsOf(data.versions, data.revision);
  const row = (version: Version) => (
    <VersionRow
      key={version.number}
      version={version}
      undone={version.step_of == null ? undefined : byNumber.get(version.step_of)}
      isNow={version.number === data.revision}
      isOpen={open === version.number}
      onToggle={() => setOpen(open === version.number ? undefined : version.number)}
      onForget={readOnly ? undefined : () => void forget(version.number)}
    >
      {version.change != null && (
        <Change
          change={version.change}
          number={numberOf.get(version.change.line)}
          language={language}
        />
      )}
      {open === version.number && (
        <VersionDifferences
          slug={file.slug}
          version={version.number}
          versions={data.versions.filter(({ is_readable }) => is_readable)}
          now={data.revision}
          editing={editing}
          readOnly={readOnly}
          onRestore={(lines) => void restore(version.number, lines)}
        />
      )}
    </VersionRow>
  );

  return (
    <div className={styles.history}>
      {!readOnly && (
        <KeepForm
          onKeep={async (name) => {
            await attempt(async () => {
              if (!(await store.settled())) {
                toast("warning", t("together.notSaved"));
                return;
              }
              await mutate(keepVersion(file.slug, language, name), { revalidate: false });
              toast("success", t("together.versionKept"));
            });
          }}
        />
      )}
      {data.versions.length === 0 && <p className="quiet">{t("together.noVersions")}</p>}
      <ol className={styles.versions} data-testid="versions">
        {groups.slice(0, shown).map((group) => {
          const [first] = group;
          if (first === undefined) return null;
          if (group.length === 1) return row(first);
          return (
            <li key={first.number} className={styles.group}>
              <details data-testid="version-group">
                <summary>
                  {t(MANY[first.action ?? ""] ?? "together.changedMany", { count: group.length })}
                  <span className={`${styles.facts} quiet`}>{factsOf(first)}</span>
                </summary>
                <ol className={styles.versions}>{group.map(row)}</ol>
              </details>
            </li>
          );
        })}
      </ol>
      {groups.length > shown && (
        <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + SHOWN)}>
          …
        </Button>
      )}
    </div>
  );
}

const MANY: Record<string, "together.undidMany" | "together.redidMany"> = {
  Undo: "together.undidMany",
  Redo: "together.redidMany",
};

function whoOf({ is_you, is_guest, by, number }: Version): string {
  if (is_you) return t("together.you");
  const name = by ?? (number === 0 ? "" : t("together.somebody"));
  return is_guest ? t("together.guest", { name }) : name;
}

/** Who changed what when, in a few words. */
const factsOf = (version: Version, marks: readonly string[] = []): string =>
  [whoOf(version), whenOf(version.at), ...marks].filter((part) => part !== "").join(" · ");

function KeepForm({ onKeep }: { onKeep: (name: string) => Promise<void> }) {
  const [name, setName] = useState("");
  const [isBusy, setBusy] = useState(false);
  return (
    <form
      className={styles.keep}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === "") return;
        setBusy(true);
        void onKeep(name.trim()).finally(() => {
          setBusy(false);
          setName("");
        });
      }}
    >
      <TextInput
        label={t("together.versionName")}
        placeholder={t("together.versionNameHint")}
        value={name}
        maxLength={usePublicConfig()?.text_limits.version_name}
        data-testid="version-name"
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        type="submit"
        size="sm"
        variant="default"
        loading={isBusy}
        disabled={name.trim() === ""}
      >
        {t("together.keepVersion")}
      </Button>
    </form>
  );
}

interface RowProps {
  version: Version;
  /** What an undo took back, or a redo restored. */
  undone: Version | undefined;
  isNow: boolean;
  isOpen: boolean;
  onToggle: () => void;
  onForget: (() => void) | undefined;
  children: React.ReactNode;
}

function VersionRow({ version, undone, isNow, isOpen, onToggle, onForget, children }: RowProps) {
  const { number, is_undone, is_readable, follows_source } = version;
  const name = nameOf(version);
  const marks = [
    is_undone ? t("together.undone") : "",
    follows_source ? t("together.follows") : "",
  ];
  return (
    <li className={styles.version} data-testid="version" data-number={number}>
      <div className={styles.head}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          disabled={!is_readable || isNow}
          title={is_readable ? t("together.show") : t("together.unreadable")}
          onClick={onToggle}
        >
          <span className={styles.title} data-undone={is_undone || undefined}>
            {titleOf(version, undone)}
          </span>
          <span className={`${styles.facts} quiet`}>{factsOf(version, marks)}</span>
        </button>
        {isNow && <Badge variant="light">{t("together.now")}</Badge>}
      </div>
      {name !== null && version.action !== null && (
        <div className={styles.name}>
          <Badge variant="outline" data-testid="version-label">
            {name}
          </Badge>
          {onForget !== undefined && (
            <CloseButton aria-label={t("together.removeName", { name })} onClick={onForget} />
          )}
        </div>
      )}
      {children}
    </li>
  );
}
