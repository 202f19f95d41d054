import { Button, Group, Modal, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/processing";
import { useFileActions, type MediaFile } from "../../domain/files/data";
import { AUTO, useLanguages } from "../../domain/languages/languages";
import { LanguageSelect } from "../../domain/languages/LanguageSelect";
import { effectOf } from "./effect";

interface Props {
  file: MediaFile;
  onClose: () => void;
}

/** Choose another language for a file. The dialog explains the effect on existing captions first. */
export default function LanguageDialog({ file, onClose }: Props) {
  const actions = useFileActions();
  const { label, suggestions } = useLanguages();
  const [chosen, setChosen] = useState(file.language);
  const [busy, setBusy] = useState(false);
  const { explanation, verb, needsOther } = effectOf(file);
  const language = chosen === AUTO && !suggestions.includes(AUTO) ? null : chosen;

  const start = async () => {
    if (language === null) return;
    setBusy(true);
    const done = await actions.transcribe(file.slug, language);
    setBusy(false);
    if (done) onClose();
  };

  return (
    <Modal opened onClose={onClose} title={t("languages.spokenLanguage")}>
      <LanguageSelect
        label={t("languages.of", { fileName: file.name })}
        value={language}
        onChange={setChosen}
        placeholder={t("languages.choose")}
        data-autofocus
      />
      <Text mt="md" size="sm" className="quiet">
        {explanation}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t("languages.cancel")}
        </Button>
        <Button
          loading={busy}
          disabled={language === null || (needsOther && language === file.language)}
          onClick={() => void start()}
          data-testid="use-language"
        >
          {language === null ? verb : `${verb}: ${label(language)}`}
        </Button>
      </Group>
    </Modal>
  );
}
