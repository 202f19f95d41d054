import { Button, Pagination, Select, TextInput, Title } from "@mantine/core";
import { useRef, useState } from "react";
import { t } from "../../platform/messages/glossary";
import { EmptyState } from "../../platform/page/EmptyState";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { IconDownload, IconFileImport, IconSearch } from "../../platform/theme/icons";
import { useSession } from "../../domain/person/session";
import { useLanguages } from "../../domain/languages/languages";
import LookOnly from "../../domain/teams/LookOnly";
import { useActiveTeam } from "../../domain/teams/activeTeam";
import { useMayAdd } from "../../domain/teams/workspace";
import { toast } from "../../platform/notices/toast";
import type { GlossaryImport, TermScope, Term } from "../../domain/glossary/types";
import {
  addTerm,
  changeTerm,
  EXPORT_URL,
  importTerms,
  removeTerm,
  search,
  useGlossary,
  type TermChange,
} from "../../domain/glossary/data";
import { ImportReport } from "./ImportReport";
import { AcceptedWords, Suggestions } from "./Learned";
import { NewTerm } from "./NewTerm";
import { TermRow } from "./TermRow";
import { useTermUses } from "../../domain/glossary/words";
import styles from "./glossary.module.css";

const PER_PAGE = 50;
/** The terms that translations keep to: add, change and delete them here, or as a CSV file. */
export default function GlossaryPage() {
  usePageTitle(t("glossary"));
  const { data: terms, error, mutate } = useGlossary();
  const { data: uses } = useTermUses();
  const { label } = useLanguages();
  const { user } = useSession();
  const worksForTeam = useActiveTeam().team !== undefined;
  const onlyLooks = user?.browse_as?.may_change === false;
  const mayAdd = useMayAdd();
  // In a team in which somebody only looks, their own terms are still theirs to write.
  const addsToTeam = worksForTeam && mayAdd;
  const [words, setWords] = useState("");
  const [into, setInto] = useState<string | null>(null);
  const [page, setPage] = useState(1);
  const [scope, setScope] = useState<TermScope>("team");
  const [edited, setEdited] = useState<string | null>(null);
  const [deleted, setDeleted] = useState<Term>();
  const [report, setReport] = useState<GlossaryImport>();
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const whose = !worksForTeam ? null : addsToTeam ? scope : "user";

  const attempt = async (call: () => Promise<unknown>): Promise<boolean> => {
    try {
      await call();
      return true;
    } catch (problem) {
      toast("error", (problem as Error).message);
      return false;
    } finally {
      await mutate();
    }
  };
  const remove = async (term: Term) => {
    if (await attempt(() => removeTerm(term.id))) setDeleted(term);
  };
  const restore = async (term: Term) => {
    if (await attempt(() => addTerm(changeOf(term), worksForTeam ? term.scope : null)))
      setDeleted(undefined);
  };
  const save = async (id: string, change: TermChange) => {
    const saved = await attempt(() => changeTerm(id, changeOf(change)));
    if (saved) setEdited(null);
    return saved;
  };
  const bringIn = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    setBusy(true);
    await attempt(async () => setReport(await importTerms(chosen, whose)));
    setBusy(false);
  };

  if (terms === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <EmptyState
        loading={false}
        hero="lost"
        title={t("loadFailed")}
        description={error.message}
        add={{ label: t("tryAgain"), contentType: "term", onAdd: () => void mutate() }}
      />
    );
  }
  const targets = [...new Set(terms.flatMap(({ to }) => to ?? []))];
  const found = search(terms, words).filter(({ to }) => into === null || to === into);
  const pages = Math.max(1, Math.ceil(found.length / PER_PAGE));
  const shown = found.slice((Math.min(page, pages) - 1) * PER_PAGE).slice(0, PER_PAGE);
  return (
    <div className={styles.glossary}>
      <header className={styles.head}>
        <div>
          <Title order={1}>{t("glossary")}</Title>
          <p className="quiet">{t("about")}</p>
        </div>
        <div className={styles.tools}>
          {!onlyLooks && (
            <Button
              variant="default"
              leftSection={<IconFileImport size={17} />}
              loading={busy}
              title={t("import.columns")}
              onClick={() => input.current?.click()}
            >
              {t("importCsv")}
            </Button>
          )}
          <Button
            variant="default"
            component="a"
            href={EXPORT_URL}
            download
            leftSection={<IconDownload size={17} />}
            data-disabled={terms.length === 0 || undefined}
            aria-disabled={terms.length === 0 || undefined}
          >
            {t("exportCsv")}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            accept=".csv,text/csv"
            aria-label={t("import.file")}
            data-testid="glossary-import"
            onChange={({ currentTarget }) => {
              void bringIn(currentTarget.files?.[0]);
              currentTarget.value = "";
            }}
          />
        </div>
      </header>

      {report !== undefined && (
        <ImportReport report={report} onClose={() => setReport(undefined)} />
      )}

      <Suggestions />

      {!mayAdd && <LookOnly about="glossary" />}
      {!onlyLooks && (
        <NewTerm
          scope={addsToTeam ? scope : null}
          onScope={setScope}
          onSave={(term) => attempt(() => addTerm(term, whose))}
        />
      )}

      {deleted !== undefined && (
        <p className={styles.deleted} role="status">
          {t("deleted", { source: deleted.source })}
          <Button size="compact-sm" variant="light" onClick={() => void restore(deleted)}>
            {t("undo")}
          </Button>
        </p>
      )}

      {terms.length === 0 ? (
        <EmptyState
          loading={false}
          title={t("empty.title")}
          description={t("empty.about")}
          hero="searching"
        />
      ) : (
        <section aria-label={t("terms")} className={styles.list}>
          <search className={styles.filters}>
            <TextInput
              type="search"
              aria-label={t("searchTerms")}
              placeholder={t("searchTerms")}
              leftSection={<IconSearch size={16} />}
              value={words}
              onChange={({ currentTarget }) => {
                setWords(currentTarget.value);
                setPage(1);
              }}
            />
            {targets.length > 1 && (
              <Select
                aria-label={t("intoLanguage")}
                placeholder={t("pair.intoAny")}
                data={targets.map((value) => ({ value, label: label(value) }))}
                value={into}
                clearable
                onChange={(value) => {
                  setInto(value);
                  setPage(1);
                }}
              />
            )}
            <span className="quiet" role="status">
              {found.length === terms.length
                ? t("count", { terms: terms.length })
                : t("foundOfTerms", { found: found.length, terms: terms.length })}
            </span>
          </search>
          <ul className={`card ${styles.terms}`}>
            {shown.map((term) => (
              <TermRow
                key={term.id}
                term={term}
                use={uses?.get(term.id)}
                hasTeam={worksForTeam}
                editing={edited === term.id}
                onEdit={setEdited}
                onSave={save}
                onRemove={(one) => void remove(one)}
              />
            ))}
            {shown.length === 0 && <li className={styles.none}>{t("noMatch")}</li>}
          </ul>
          {pages > 1 && (
            <Pagination
              total={pages}
              value={Math.min(page, pages)}
              onChange={setPage}
              getItemProps={(item) => ({ "aria-label": t("pageItem", { item }) })}
            />
          )}
        </section>
      )}
      <AcceptedWords />
    </div>
  );
}

const changeOf = ({ source, target, from, to, note, case: matches }: TermChange): TermChange => ({
  source,
  target,
  from,
  to,
  note,
  case: matches,
});
