import { Title } from "@mantine/core";
import { lazy, Suspense } from "react";
import { usePublicConfig } from "../../api/publicConfig";
import { t } from "../../i18n/en/uploads";
import { withSentences } from "../../i18n/loaded";
import { later } from "../../layouts/Later";
import { usePageTitle } from "../../layouts/usePageTitle";
import { FileList } from "../files/FileList";
import { useMayAdd } from "../teams/mayAdd";
import { DropText } from "./DropText";
import styles from "./dashboard.module.css";
import uploads from "./uploads.module.css";

// Uppy and tus are as large as the rest of the page, so they load after the list is shown.
const UploadArea = lazy(withSentences("others", () => import("./UploadArea")));

// Notices that most visits do not have.
const BetterModel = later(() => import("../models/BetterModel"));
const MissingTasks = later(() => import("../models/MissingTasks"));
const ModelStatus = later(() => import("../models/ModelStatus"));

const chooseFiles = () => document.getElementById("upload-input")?.click();

export default function DashboardPage() {
  usePageTitle(t("uploads"));
  const config = usePublicConfig();
  const mayAdd = useMayAdd();
  const waiting = mayAdd && (
    <div className={uploads.dropzone} aria-busy="true">
      <DropText />
    </div>
  );
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
