import { Title } from "@mantine/core";
import { Suspense } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/files";
import { later, part } from "../../platform/failure/Later";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { FileList } from "../files/FileList";
import { useMayAdd, useWorkspace } from "../../domain/teams/workspace";
import { DropText } from "./DropText";
import styles from "./dashboard.module.css";
import uploads from "./uploads.module.css";

// Uppy and tus are as large as the rest of the page, so they load after the list is shown.
const UploadArea = part(() => import("./UploadArea"));

// Notices that most visits do not have.
const BetterModel = later(() => import("../models/BetterModel"));
const FilesHead = later(
  () => import("../teams/FilesHead"),
  () => <Title order={2}>{t("uploads.yourFiles")}</Title>,
);
const MissingTasks = later(() => import("../models/MissingTasks"));
const ModelStatus = later(() => import("../models/ModelStatus"));

const chooseFiles = () => document.getElementById("upload-input")?.click();

export default function DashboardPage() {
  usePageTitle(t("uploads.uploads"));
  const config = usePublicConfig();
  const mayAdd = useMayAdd();
  const workspace = useWorkspace();
  const waiting = mayAdd && (
    <div className={uploads.dropzone} aria-busy="true">
      <DropText config={config?.uploads} />
    </div>
  );
  return (
    <div className={styles.dashboard}>
      <Title order={1}>{t("uploads.uploads")}</Title>
      <ModelStatus />
      <MissingTasks />
      <BetterModel />
      {config === undefined ? (
        waiting
      ) : (
        <Suspense fallback={waiting}>
          <UploadArea config={config.uploads} defaultLanguage={config.default_language} />
        </Suspense>
      )}
      <section aria-label={t("uploads.yourFiles")} className={styles.dashboardFiles}>
        {workspace !== undefined ? (
          <FilesHead />
        ) : (
          <Title order={2}>{t("uploads.yourFiles")}</Title>
        )}
        {/* What one workspace showed never stands in another. */}
        <FileList key={workspace} onAdd={chooseFiles} />
      </section>
    </div>
  );
}
