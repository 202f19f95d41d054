import { ActionIcon, Alert, Button, Modal, Tabs, Title, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { t } from "../../platform/messages/aitext";
import { t as r } from "../../platform/messages/rights";
import { IconPlus, IconX } from "../../platform/theme/icons";
import type { MediaFile } from "../../domain/files/data";
import LookOnly from "../../domain/teams/LookOnly";
import { useAiTexts, useTextActions, type TextType } from "./data";
import type { Listen } from "./SentenceView";
import { StartForm } from "./StartForm";
import { TextView } from "./TextView";
import { nameOf, tabState } from "./words";
import styles from "./aitext.module.css";

interface Props {
  file: MediaFile;
  /** Of the captions. */
  revision: number;
  /** Whether this person may change the file; others read and download its texts. */
  mayChange: boolean;
  /** Plays a part of the recording. */
  onListen: Listen;
  onClose: () => void;
}

/** The texts about a file beside its video: write, read with times that play, edit, download. */
export default function AiTextPanel({ file, revision, mayChange, onListen, onClose }: Props) {
  const { data: texts, error, mutate } = useAiTexts(file.slug);
  const actions = useTextActions(file.slug);
  const [chosen, setChosen] = useState<string | null>(null);
  const [starting, start] = useDisclosure();
  useEffect(() => {
    void mutate();
  }, [revision, mutate]);
  const current = texts?.find(({ id }) => id === chosen) ?? texts?.at(0);

  const write = async (types: TextType[], language: string) => {
    const done = await actions.write(types, language);
    if (!done) return false;
    start.close();
    const fresh = await mutate();
    const first = fresh?.find((text) => text.type === types[0] && text.language === language);
    if (first !== undefined) setChosen(first.id);
    return true;
  };

  return (
    // The page's keys change captions, which cannot be seen now.
    <section
      className={styles.panel}
      aria-label={t("aiText")}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className={styles.panelBar}>
        <Title order={2} size="h4">
          {t("aiText")}
        </Title>
        {mayChange && texts !== undefined && texts.length > 0 && (
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<IconPlus size={15} />}
            onClick={start.open}
          >
            {t("newText")}
          </Button>
        )}
        <Tooltip label={t("backToCaptions")}>
          <ActionIcon size="lg" aria-label={t("backToCaptions")} onClick={onClose}>
            <IconX size={18} />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={styles.panelBody}>
        {error !== undefined && texts === undefined && (
          <Alert color="red" role="alert">
            <p>{error.message}</p>
            <Button size="compact-sm" color="red" onClick={() => void mutate()}>
              {t("tryAgain")}
            </Button>
          </Alert>
        )}
        {texts === undefined && error === undefined && <Skeleton />}
        {!mayChange && texts !== undefined && texts.length > 0 && (
          <div className={styles.why}>
            <LookOnly about="texts" />
          </div>
        )}
        {!mayChange && texts?.length === 0 && (
          <div className={styles.first}>
            <Title order={2} size="h3">
              {r("noTexts")}
            </Title>
            <p className="quiet">{r("textsAppear")}</p>
          </div>
        )}
        {mayChange && texts?.length === 0 && (
          <div className={styles.first}>
            <Title order={2} size="h3">
              {t("start.title")}
            </Title>
            <p className="quiet">{t("start.about")}</p>
            <StartForm slug={file.slug} texts={texts} onWrite={write} />
          </div>
        )}
        {texts !== undefined && current !== undefined && (
          <Tabs value={current.id} onChange={setChosen} keepMounted={false}>
            <Tabs.List aria-label={t("texts")} className={styles.tabs}>
              {texts.map((text) => (
                <Tabs.Tab key={text.id} value={text.id}>
                  {nameOf(text)}
                  <span className={styles.tabState} data-state={text.state}>
                    {tabState(text)}
                  </span>
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {texts.map((text) => (
              <Tabs.Panel key={text.id} value={text.id}>
                <TextView text={text} actions={actions} mayChange={mayChange} onListen={onListen} />
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
      </div>
      <Modal opened={mayChange && starting} onClose={start.close} title={t("newText")}>
        <StartForm slug={file.slug} texts={texts ?? []} onWrite={write} />
      </Modal>
    </section>
  );
}

function Skeleton() {
  return (
    <div className={styles.skeletons} role="status" aria-label={t("loading")}>
      {["60%", "100%", "96%", "82%"].map((width) => (
        <i key={width} className="skeleton" style={{ width }} />
      ))}
    </div>
  );
}
