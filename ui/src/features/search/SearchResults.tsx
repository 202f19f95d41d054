import { Alert, Button, Pagination } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../platform/messages/library";
import { EmptyState } from "../../platform/page/EmptyState";
import { IconMovie, IconWaveSine } from "../../platform/theme/icons";
import { trackPath } from "../../domain/captions/trackPath";
import { clock, day } from "../../domain/files/format";
import { languageName } from "../../domain/languages/languages";
import Owner from "../teams/Owner";
import { FOUND_PER_PAGE, hitPath, useSearch, type Found } from "./data";
import { Marked } from "./Marked";
import styles from "./search.module.css";

interface Props {
  keyword: string;
  page: number;
  onPage: (page: number) => void;
  onClear: () => void;
}

/** Files by their names and captions, each with the lines that were found. */
export default function SearchResults({ keyword, page, onPage, onClear }: Props) {
  const { data, error, mutate } = useSearch(keyword, page);
  if (data === undefined && error !== undefined) {
    return (
      <Alert color="red" role="alert" title={t("search.failed")}>
        {error.message}
        <Button mt="sm" size="compact-md" variant="light" onClick={() => void mutate()}>
          {t("search.tryAgain")}
        </Button>
      </Alert>
    );
  }
  if (data === undefined) return <EmptyState />;
  const { total } = data.meta;
  if (total === 0) {
    return (
      <EmptyState
        loading={false}
        title={t("search.noMatches")}
        description={t("search.noMatch")}
        hero="searching"
        add={{ label: t("search.showAll"), contentType: "search", onAdd: onClear }}
      />
    );
  }
  const pages = Math.ceil(total / FOUND_PER_PAGE);
  return (
    <>
      <p className="quiet" role="status">
        {total === 1 ? t("search.foundOne") : t("search.found", { total })}
      </p>
      <ul className={styles.results} aria-label={t("search.searchResults")}>
        {data.data.map((file) => (
          <Result key={file.id} file={file} />
        ))}
      </ul>
      {pages > 1 && (
        <Pagination
          mt="lg"
          total={pages}
          value={Math.min(page, pages)}
          onChange={onPage}
          getItemProps={(item) => ({ "aria-label": t("search.pageItem", { item }) })}
        />
      )}
    </>
  );
}

function Result({ file }: { file: Found }) {
  const Mark = file.kind === "audio" ? IconWaveSine : IconMovie;
  const more = file.hits - file.matches.length;
  return (
    <li className={styles.result} data-testid="found" data-slug={file.slug}>
      <div className={styles.poster} aria-hidden="true">
        {file.poster_url === null ? (
          <Mark size={24} stroke={1.4} />
        ) : (
          <img src={file.poster_url} alt="" loading="lazy" />
        )}
      </div>
      <div className={styles.body}>
        <div className={styles.head}>
          <Link to={trackPath(file.slug)} className={styles.name}>
            <Marked parts={file.title} />
          </Link>
          <span className="quiet">
            {[file.duration_ms === null ? "" : clock(file.duration_ms), day(file.created_at)]
              .filter((part) => part !== "")
              .join(" · ")}
          </span>
          <Owner team={file.team_id} />
        </div>
        {file.matches.length > 0 && (
          <ul className={styles.lines} aria-label={t("search.linesOf", { fileName: file.name })}>
            {file.matches.map((match) => (
              <li key={match.line}>
                <Link to={hitPath(file.slug, match)} className={styles.line}>
                  <span className={`${styles.time} tabular`}>{clock(match.start_ms)}</span>
                  <span>
                    <Marked parts={match.excerpt} />
                  </span>
                  {match.is_translation && (
                    <span className={styles.language}>
                      {languageName(match.language, match.language_label)}
                    </span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        )}
        {more > 0 && (
          <p className={`quiet ${styles.more}`}>
            {more === 1 ? t("search.moreLine") : t("search.moreLines", { more })}
          </p>
        )}
      </div>
    </li>
  );
}
