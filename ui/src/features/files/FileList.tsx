import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../platform/messages/files";
import { EmptyState } from "../../platform/page/EmptyState";
import { useMayAdd } from "../../domain/teams/workspace";
import { useNewestFiles } from "../../domain/files/data";
import { FileGrid, ListProblem } from "./FileGrid";
import styles from "./files.module.css";

/** The newest files with their activity, and a link to all others. */
export function FileList({ onAdd }: { onAdd: () => void }) {
  const { data: page, error, mutate } = useNewestFiles();
  const mayAdd = useMayAdd();
  if (page === undefined && error !== undefined) {
    return <ListProblem error={error} onRetry={() => void mutate()} />;
  }
  if (page === undefined || page.meta.total === 0) {
    return (
      <EmptyState
        loading={page === undefined}
        title={t("none.title")}
        description={mayAdd && t("none.uploadAbout")}
        hero="listening"
        add={mayAdd ? { label: t("upload.label"), contentType: "file", onAdd } : undefined}
      />
    );
  }
  return (
    <>
      <FileGrid files={page.data} />
      <p className={styles.filesMore}>
        <Anchor component={Link} to="/captions">
          {page.meta.total > page.data.length
            ? t("seeAll", { total: page.meta.total })
            : t("browseAll")}
        </Anchor>
      </p>
    </>
  );
}
