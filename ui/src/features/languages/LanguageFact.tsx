import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import { t } from "../../platform/messages/processing";
import type { MediaFile } from "../../domain/files/data";
import { AUTO, useLanguages } from "../../domain/languages/languages";
import { part } from "../../platform/failure/Later";

const LanguageDialog = part(() => import("./LanguageDialog"));

/** The language of a file, with a button to change it. */
export function LanguageFact({ file }: { file: MediaFile }) {
  const { label } = useLanguages();
  const [choosing, dialog] = useDisclosure();
  return (
    <>
      {file.language === AUTO ? t("languages.detected") : label(file.language)}{" "}
      {file.may_change && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={t("languages.changeOf", { fileName: file.name })}
          onClick={dialog.open}
        >
          {t("languages.change")}
        </Button>
      )}
      <Suspense fallback={null}>
        {choosing && file.may_change && <LanguageDialog file={file} onClose={dialog.close} />}
      </Suspense>
    </>
  );
}
