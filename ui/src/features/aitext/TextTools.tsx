import { ActionIcon, Button, Group, Menu, Modal, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense, type ReactNode } from "react";
import { t } from "../../platform/messages/aitext";
import {
  IconCopy,
  IconDots,
  IconDownload,
  IconHistory,
  IconPencil,
  IconRefresh,
  IconTrash,
} from "../../platform/theme/icons";
import { toast } from "../../platform/notices/toast";
import { copyText } from "../../platform/page/copyText";
import { DOWNLOADS, downloadUrl, isOpen, type AiText, type useTextActions } from "./data";
import { nameOf } from "./words";
import styles from "./aitext.module.css";
import { part } from "../../platform/failure/Later";

const HistoryDialog = part(() => import("./HistoryDialog"));

interface Props {
  text: AiText;
  actions: ReturnType<typeof useTextActions>;
  mayChange: boolean;
  onEdit: () => void;
}

/** What one can do with a text: copy, download, look at its history; who may change it edits, writes again, deletes. */
export function TextTools({ text, actions, mayChange, onEdit }: Props) {
  const [deleting, remove] = useDisclosure();
  const [history, historyDialog] = useDisclosure();
  const written = text.version > 0;
  const open = isOpen(text);

  const copy = async () => {
    if (await copyText(text.content)) toast("success", t("textCopied"));
    else toast("error", t("copy.failed"));
  };

  return (
    <div className={styles.tools}>
      {written && (
        <>
          {mayChange && (
            <Tool label={t("edit")} disabled={open} onClick={onEdit}>
              <IconPencil size={18} />
            </Tool>
          )}
          <Tool label={t("copy")} onClick={() => void copy()}>
            <IconCopy size={18} />
          </Tool>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon size="lg" aria-label={t("download.label")}>
                <IconDownload size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {DOWNLOADS.map(({ format, label }) => (
                <Menu.Item key={format} component="a" href={downloadUrl(text.id, format)} download>
                  {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="lg" aria-label={t("menu.label", { text: nameOf(text) })}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayChange && (
            <Menu.Item
              leftSection={<IconRefresh size={16} />}
              disabled={open}
              onClick={() => void actions.again(text.id)}
            >
              {t("writeAgain")}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconHistory size={16} />}
            disabled={!written}
            onClick={historyDialog.open}
          >
            {t("history")}
          </Menu.Item>
          {mayChange && (
            <>
              <Menu.Divider />
              <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove.open}>
                {t("delete")}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>
        {history && (
          <HistoryDialog
            text={text}
            onRestore={mayChange ? (version) => actions.restore(text.id, version) : undefined}
            onClose={historyDialog.close}
          />
        )}
      </Suspense>
      <Modal opened={mayChange && deleting} onClose={remove.close} title={t("delete.question")}>
        <Text>
          {t.rich("delete.about", {
            text: nameOf(text),
            b: (parts) => <strong>{parts}</strong>,
          })}
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={remove.close} data-autofocus>
            {t("keepIt")}
          </Button>
          <Button
            color="red"
            onClick={() => {
              remove.close();
              void actions.remove(text);
            }}
          >
            {t("delete")}
          </Button>
        </Group>
      </Modal>
    </div>
  );
}

function Tool(props: {
  label: string;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  const { label, disabled = false, onClick, children } = props;
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" aria-label={label} disabled={disabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
