import { ActionIcon, Button, Group, Menu, Modal, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense, useId, useState } from "react";
import { Link } from "react-router";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/files";
import { t as tLibrary } from "../../platform/messages/library";
import {
  IconDots,
  IconDownload,
  IconEar,
  IconLink,
  IconLanguage,
  IconNotes,
  IconPencil,
  IconRefresh,
  IconTag,
  IconTrash,
  IconUsersGroup,
  IconX,
} from "../../platform/theme/icons";
import { useSession } from "../../domain/person/session";
import { panelAddress } from "../editor/panels/usePanel";
import { canRestart, isWorking, useFileActions, type MediaFile } from "../../domain/files/data";
import LookOnly from "../../domain/teams/LookOnly";
import styles from "../../domain/teams/lookOnly.module.css";
import { part } from "../../platform/failure/Later";

const LanguageDialog = part(() => import("../languages/LanguageDialog"));
const TagsDialog = part(() => import("../tags/TagsDialog"));
const ReviewLinksDialog = part(() => import("../reviewLinks/ReviewLinksDialog"));
const MoveDialog = part(() => import("../teams/MoveDialog"));
const TranslateDialog = part(() => import("../translations/TranslateDialog"));

/** The actions on a file besides opening it: those that the person may do. */
export default function FileMenu({ file }: { file: MediaFile }) {
  const actions = useFileActions();
  const [renaming, rename] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const [choosing, language] = useDisclosure();
  const [translating, translate] = useDisclosure();
  const [tagging, tags] = useDisclosure();
  const [sharing, share] = useDisclosure();
  const [moving, move] = useDisclosure();
  const why = useId();
  const teams = useSession().user?.teams ?? [];
  const { may_change: mayChange, may_move: mayMove } = file;
  const hasPlace = teams.some((team) => team.is_active && team.role !== "viewer");
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t("menu.label", { fileName: file.name })}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown aria-describedby={mayChange ? undefined : why}>
          {mayChange && (
            <>
              <Menu.Item leftSection={<IconPencil size={16} />} onClick={rename.open}>
                {tLibrary("rename")}
              </Menu.Item>
              <Menu.Item leftSection={<IconTag size={16} />} onClick={tags.open}>
                {t("tags")}
              </Menu.Item>
            </>
          )}
          <Menu.Item
            component="a"
            href={`/api/files/${file.slug}/original`}
            leftSection={<IconDownload size={16} />}
          >
            {tLibrary("downloadOriginal")}
          </Menu.Item>
          {mayChange && (
            <Menu.Item leftSection={<IconEar size={16} />} onClick={language.open}>
              {file.transcription_id === null
                ? tLibrary("changeLanguage")
                : tLibrary("transcribeAgain")}
            </Menu.Item>
          )}
          {mayChange && file.transcription_id !== null && (
            <Menu.Item leftSection={<IconLanguage size={16} />} onClick={translate.open}>
              {tLibrary("translate")}
            </Menu.Item>
          )}
          {mayChange && file.transcription_id !== null && (
            <Menu.Item leftSection={<IconLink size={16} />} onClick={share.open}>
              {tLibrary("share")}
            </Menu.Item>
          )}
          {!isWorking(file) && file.transcription_id !== null && (
            <Menu.Item
              component={Link}
              to={panelAddress(file.slug)}
              leftSection={<IconNotes size={16} />}
            >
              {tLibrary("aiText")}
            </Menu.Item>
          )}
          {mayChange && isWorking(file) && (
            <Menu.Item
              leftSection={<IconX size={16} />}
              onClick={() => void actions.cancel(file.slug)}
            >
              {t("cancel")}
            </Menu.Item>
          )}
          {mayChange && canRestart(file) && (
            <Menu.Item
              leftSection={<IconRefresh size={16} />}
              onClick={() => void actions.retry(file.slug)}
            >
              {tLibrary("startAgain")}
            </Menu.Item>
          )}
          {mayMove && (hasPlace || file.team_id !== null) && (
            <Menu.Item leftSection={<IconUsersGroup size={16} />} onClick={move.open}>
              {t("moveTo")}
            </Menu.Item>
          )}
          <Menu.Divider />
          {mayChange ? (
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove.open}>
              {t("delete")}
            </Menu.Item>
          ) : (
            <Menu.Label id={why} className={styles.inMenu}>
              <LookOnly />
            </Menu.Label>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={mayChange && renaming} onClose={rename.close} title={tLibrary("rename")}>
        <RenameForm
          name={file.name}
          onSave={async (name) => {
            if (await actions.rename(file, name)) rename.close();
          }}
        />
      </Modal>
      <Suspense fallback={null}>
        {mayChange && choosing && <LanguageDialog file={file} onClose={language.close} />}
        {mayChange && tagging && <TagsDialog files={[file]} onClose={tags.close} />}
        {mayChange && sharing && <ReviewLinksDialog file={file} onClose={share.close} />}
        {mayMove && moving && <MoveDialog files={[file]} onClose={move.close} />}
        {mayChange && translating && <TranslateDialog file={file} onClose={translate.close} />}
      </Suspense>
      <Modal
        opened={mayChange && deleting}
        onClose={remove.close}
        title={tLibrary("delete.question")}
      >
        <Text>
          {tLibrary.rich("delete.about", {
            fileName: file.name,
            b: (parts) => <strong>{parts}</strong>,
          })}
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={remove.close} data-autofocus>
            {t("keepIt")}
          </Button>
          <Button color="red" onClick={() => void actions.remove(file)}>
            {t("delete")}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

function RenameForm({ name, onSave }: { name: string; onSave: (name: string) => Promise<void> }) {
  const [text, setText] = useState(name);
  const titleMax = usePublicConfig()?.text_limits.file_title;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onSave(text.trim());
      }}
    >
      <TextInput
        label={t("name")}
        value={text}
        data-autofocus
        maxLength={titleMax}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group justify="flex-end" mt="lg">
        <Button type="submit" disabled={text.trim() === ""}>
          {t("save")}
        </Button>
      </Group>
    </form>
  );
}
