import { Title } from "@mantine/core";
import { lazy, Suspense } from "react";
import { usePublicConfig } from "../../api/publicConfig";
import { t } from "../../i18n/en/uploads";
import { usePageTitle } from "../../layouts/usePageTitle";
import { FileList } from "../files/FileList";
import BetterModel from "../models/BetterModel";
import MissingTasks from "../models/MissingTasks";
import ModelStatus from "../models/ModelStatus";
import styles from "./dashboard.module.css";

// Uppy and tus are as large as the rest of the page, so they load after the list is shown.
const UploadArea = lazy(() => import("./UploadArea"));

const chooseFiles = () => document.getElementById("upload-input")?.click();

export default function DashboardPage() {
  usePageTitle(t("uploads"));
  const config = usePublicConfig();
  const waiting = <div className={`skeleton ${styles.dashboardWait}`} />;
  return (
    <div className={styles.dashboard}>
      <Title order={1}>{t("uploads")}</Title>
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
      <section aria-label={t("yourFiles")} className={styles.dashboardFiles}>
        <Title order={2}>{t("yourFiles")}</Title>
        <FileList onAdd={chooseFiles} />
      </section>
    </div>
  );
}
