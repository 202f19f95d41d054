import { ActionIcon, Anchor, Button, Group, Menu, Modal, Text, Title } from "@mantine/core";
import { useDisclosure, useLocalStorage } from "@mantine/hooks";
import { useState, type DragEvent } from "react";
import { Link } from "react-router";
import { t } from "../../../platform/messages/files";
import { t as tLibrary } from "../../../platform/messages/library";
import { IconChevronDown, IconDots, IconPencil, IconTrash } from "../../../platform/theme/icons";
import { useTagActions, type Tag } from "../../tags/data";
import { TagDot } from "../../tags/TagChip";
import { TagForm } from "../../tags/TagForm";
import { useWorkspace } from "../../../domain/teams/workspace";
import { inWorkspace, useFiles } from "../../../domain/files/data";
import { DRAGGED_FILE, type DraggedFile } from "../browser/drag";
import { FileGrid, ListProblem } from "../FileGrid";
import { UNTAGGED } from "../browser/fileSearch";
import styles from "./projects.module.css";

/** As many files as a project shows before one opens all of it. */
const SHOWN = 12;

interface Props {
  /** The project's tag; null for files without one. */
  tag: Tag | null;
  onUpload?: () => void;
}

/** One project: its files, and a place to drop others. */
export function ProjectSection({ tag, onUpload }: Props) {
  const slug = tag?.slug ?? UNTAGGED;
  const name = tag?.name ?? t("noTag");
  const [closed, setClosed] = useLocalStorage<string[]>({
    key: "sagascript.closed-projects",
    defaultValue: [],
  });
  const isOpen = !closed.includes(slug);
  const { data, error, mutate } = useFiles({
    tag: [slug],
    per_page: SHOWN,
    ...inWorkspace(useWorkspace()),
  });
  const { tagFiles } = useTagActions();
  const [isOver, setOver] = useState(false);
  const total = data?.meta.total ?? tag?.files ?? 0;
  // Who may only look at a tag can neither put files into it nor take them out.
  const mayChange = tag?.may_change !== false;

  const over = (event: DragEvent) => {
    if (!mayChange || !event.dataTransfer.types.includes(DRAGGED_FILE)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    setOver(false);
    const text = event.dataTransfer.getData(DRAGGED_FILE);
    if (!mayChange || text === "") return;
    event.preventDefault();
    const { id, from } = JSON.parse(text) as DraggedFile;
    if (from === slug) return;
    void tagFiles({
      ids: [id],
      add: tag === null ? [] : [tag.slug],
      remove: from === UNTAGGED ? [] : [from],
    });
  };
  // Without any file at all, the page's own empty state says what to do.
  if (tag === null && total === 0 && error === undefined) return null;
  return (
    <section
      className={styles.project}
      aria-label={tLibrary("projectName", { name })}
      data-testid="project"
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <header className={styles.head}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() =>
            setClosed((held) => (isOpen ? [...held, slug] : held.filter((one) => one !== slug)))
          }
        >
          <IconChevronDown size={18} className={styles.chevron} aria-hidden="true" />
          {tag !== null && <TagDot colour={tag.colour} />}
          <Title order={2} size="h3">
            {name}
          </Title>
          <span className="quiet tabular">{total}</span>
        </button>
        {tag?.may_change === true && <ProjectMenu tag={tag} />}
      </header>
      {isOpen && error !== undefined && data === undefined && (
        <ListProblem error={error} onRetry={() => void mutate()} />
      )}
      {isOpen && data !== undefined && total === 0 && (
        <p className={`quiet ${styles.nothing}`}>
          {mayChange ? tLibrary("project.emptyHint") : tLibrary("project.empty")}
        </p>
      )}
      {isOpen && data !== undefined && total > 0 && (
        <>
          <FileGrid
            files={data.data}
            label={tLibrary("project.files", { name })}
            dragFrom={mayChange ? slug : undefined}
          />
          {total > data.data.length && (
            <p className={styles.more}>
              <Anchor component={Link} to={`/captions?tag=${slug}`}>
                {tLibrary("seeAll", { total })}
              </Anchor>
            </p>
          )}
        </>
      )}
      {onUpload !== undefined && tag === null && total === 0 && (
        <Button onClick={onUpload}>{t("upload.label")}</Button>
      )}
    </section>
  );
}

function ProjectMenu({ tag }: { tag: Tag }) {
  const { change, remove } = useTagActions();
  const [editing, form] = useDisclosure();
  const [deleting, confirm] = useDisclosure();
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={tLibrary("project.menu", { tagName: tag.name })}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={form.open}>
            {tLibrary("project.edit")}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={confirm.open}>
            {tLibrary("deleteProject")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {editing && (
        <TagForm
          title={tLibrary("project.edit")}
          label={t("name")}
          button={t("save")}
          name={tag.name}
          colour={tag.colour}
          onSave={(name, colour) => change(tag.slug, { name, colour })}
          onClose={form.close}
        />
      )}
      <Modal
        opened={deleting}
        onClose={confirm.close}
        title={tLibrary("project.delete", { tagName: tag.name })}
      >
        <Text>{tLibrary("project.deleteAbout")}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={confirm.close} data-autofocus>
            {t("keepIt")}
          </Button>
          <Button
            color="red"
            onClick={() => {
              confirm.close();
              void remove(tag.slug);
            }}
          >
            {tLibrary("deleteProject")}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
