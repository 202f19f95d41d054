import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import { useSession } from "../../domain/person/session";
import { part } from "../../platform/failure/Later";
import { t } from "../../platform/messages/models";
import { IconAlertTriangle, IconDownload, IconStack } from "../../platform/theme/icons";
import { badgeWords, type BadgeWords } from "./badge";
import { useModels, useSpeechModel } from "./data";
import styles from "./models.module.css";

const ModelsDialog = part(() => import("./ModelsDialog"));

const MARKS: Record<BadgeWords["tone"], typeof IconStack> = {
  quiet: IconStack,
  moving: IconDownload,
  warn: IconAlertTriangle,
};

/** What listens in this installation, in a few quiet words; all that it can do is one press away. */
export default function ModelBadge() {
  const isAdmin = useSession().user?.is_admin === true;
  const [open, dialog] = useDisclosure();
  // A model that takes over changes the languages one may choose.
  useSpeechModel();
  const badge = badgeWords(useModels(), isAdmin);
  if (badge === undefined) return null;
  const Mark = MARKS[badge.tone];
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        className={styles.modelBadge}
        leftSection={<Mark size={15} aria-hidden="true" />}
        aria-haspopup="dialog"
        aria-label={t("badge.label", { words: badge.words })}
        data-testid="model-badge"
        data-tone={badge.tone}
        onClick={dialog.open}
      >
        {badge.words}
      </Button>
      <Suspense fallback={null}>{open && <ModelsDialog onClose={dialog.close} />}</Suspense>
    </>
  );
}
