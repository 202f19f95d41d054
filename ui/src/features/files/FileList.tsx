import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { EmptyState } from "../../layouts/EmptyState";
import { NEWEST, useFiles } from "./data";
import { FileGrid, ListProblem } from "./FileGrid";
import styles from "./files.module.css";

/** The newest files with their activity, and a link to all others. */
export function FileList({ onAdd }: { onAdd: () => void }) {
  const { data: page, error, mutate } = useFiles(NEWEST);
  if (page === undefined && error !== undefined) {
    return <ListProblem error={error} onRetry={() => void mutate()} />;
  }
  if (page === undefined || page.meta.total === 0) {
    return (
      <EmptyState
        loading={page === undefined}
        title="No files yet"
        description="Upload a video or audio file and watch its captions appear as it is transcribed."
        hero="listening"
        add={{ label: "Upload a file", contentType: "file", onAdd }}
      />
    );
  }
  return (
    <>
      <FileGrid files={page.data} />
      <p className={styles.filesMore}>
        <Anchor component={Link} to="/captions">
          {page.meta.total > page.data.length
            ? `See all ${page.meta.total} files`
            : "Browse all files"}
        </Anchor>
      </p>
    </>
  );
}
