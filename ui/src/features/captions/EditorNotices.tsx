import { Alert, Button } from "@mantine/core";
import { t } from "../../platform/messages/editor";
import { useSession } from "../../domain/person/session";
import { canRestart, useFileActions } from "../../domain/files/data";
import { asksLanguage } from "../../domain/files/needs";
import { LanguageQuestion } from "../languages/LanguageQuestion";
import { OfflineBanner } from "../offline/OfflineBanner";
import { useEditor } from "../editor/context";
import { Hints } from "./hints/Hints";
import styles from "./editor.module.css";

/** What somebody should know or decide before they edit. */
export function EditorNotices() {
  const { file, editing, state, mayChange } = useEditor();
  const actions = useFileActions();
  const isSupport = useSession().user?.browse_as?.may_change === false;
  return (
    <div className={styles.editorNotices}>
      <Hints />
      <OfflineBanner editing={editing} file={file} />
      {!mayChange && state.kind !== "closed" && (
        <p className={styles.lookOnly} role="status" data-testid="look-only">
          {isSupport ? t("readOnlySupport") : t("readOnly")}
        </p>
      )}
      {mayChange && asksLanguage(file) && <LanguageQuestion file={file} radius={0} />}
      {mayChange && canRestart(file) && !asksLanguage(file) && (
        <Alert color="red" radius={0} role="alert">
          <span>{file.error ?? t("fileCancelled")}</span>
          <Button size="compact-sm" color="red.9" onClick={() => void actions.retry(file.slug)}>
            {t("startAgain")}
          </Button>
        </Alert>
      )}
    </div>
  );
}
