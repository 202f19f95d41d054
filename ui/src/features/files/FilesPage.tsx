import { Button, Group, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import { Link, useLocation } from "react-router";
import { useNewestFiles } from "../../domain/files/data";
import { useMayAdd, useWorkspace } from "../../domain/teams/workspace";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { later, part } from "../../platform/failure/Later";
import { t } from "../../platform/messages/files";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { IconReplace, IconTrash } from "../../platform/theme/icons";
import { DropText } from "../uploads/DropText";
import uploads from "../uploads/uploads.module.css";
import { FileBrowser } from "./browser/FileBrowser";
import styles from "./filesPage.module.css";

// Uppy and tus are as large as the rest of the page, so they load after the list is shown.
const UploadArea = part(() => import("../uploads/UploadArea"));
const ReplaceDialog = part(() => import("../captions/find/ReplaceDialog"));

// Notices that most visits do not have.
const BetterModel = later(() => import("../models/BetterModel"));
const ModelBadge = later(() => import("../models/ModelBadge"));
const FilesHead = later(
  () => import("../teams/FilesHead"),
  () => <Title order={2}>{t("files")}</Title>,
);

const DASHBOARD = "/dashboard";
const chooseFiles = () => document.getElementById("upload-input")?.click();

/** The one place of a person's files: add, find, open. It has two addresses, each with the title of the specification. */
export default function FilesPage() {
  usePageTitle(useLocation().pathname === DASHBOARD ? t("uploads.uploads") : t("files"));
  const config = usePublicConfig();
  const mayAdd = useMayAdd();
  const workspace = useWorkspace();
  const waiting = mayAdd && (
    <div className={uploads.dropzone} aria-busy="true">
      <DropText config={config?.uploads} />
    </div>
  );
  return (
    <div className={styles.page} data-wide>
      <div className={styles.head}>
        <Title order={1}>{t("files")}</Title>
        <ListActions />
      </div>
      <BetterModel />
      {config === undefined ? (
        waiting
      ) : (
        <Suspense fallback={waiting}>
          <UploadArea config={config.uploads} defaultLanguage={config.default_language} />
        </Suspense>
      )}
      <section aria-label={t("files")} className={styles.files}>
        {workspace !== undefined && <FilesHead />}
        {/* What one workspace showed never stands in another. */}
        <FileBrowser key={workspace} onAdd={chooseFiles} />
      </section>
    </div>
  );
}

/** What concerns all files, and what this installation can do with them. */
function ListActions() {
  const [replacing, dialog] = useDisclosure();
  const hasFiles = (useNewestFiles().data?.meta.total ?? 0) > 0;
  return (
    <Group gap={4}>
      {hasFiles && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconReplace size={15} />}
          data-testid="replace-in-files"
          onClick={dialog.open}
        >
          {t("replaceInFiles")}
        </Button>
      )}
      <Button component={Link} to="/live" variant="light" size="compact-sm" data-testid="live">
        {t("liveCaptions")}
      </Button>
      <Button
        component={Link}
        to="/bin"
        variant="subtle"
        size="compact-sm"
        leftSection={<IconTrash size={15} />}
      >
        {t("bin")}
      </Button>
      <ModelBadge />
      <Suspense fallback={null}>{replacing && <ReplaceDialog onClose={dialog.close} />}</Suspense>
    </Group>
  );
}
