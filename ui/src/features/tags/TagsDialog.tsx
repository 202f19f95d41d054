import { Button, Checkbox, Group, Modal, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/files";
import { t as tLibrary } from "../../platform/messages/library";
import { IconPlus } from "../../platform/theme/icons";
import LookOnly from "../../domain/teams/LookOnly";
import { useMayAdd } from "../../domain/teams/workspace";
import { useTagActions, useTags, type FileTag, type Tag } from "./data";
import { TagDot } from "./TagChip";
import styles from "./tags.module.css";

interface Tagged {
  id: string;
  slug: string;
  name: string;
  team_id: string | null;
  tags: readonly FileTag[];
}

interface Props {
  files: readonly Tagged[];
  onClose: () => void;
}

type Choice = "all" | "some" | "none";

const stateOf = (files: readonly Tagged[], slug: string): Choice => {
  const having = files.filter(({ tags }) => tags.some((tag) => tag.slug === slug)).length;
  return having === 0 ? "none" : having === files.length ? "all" : "some";
};

/** Choose the tags of one file or of several; a new one can be created on the way. */
export default function TagsDialog({ files, onClose }: Props) {
  const { tags } = useTags();
  const actions = useTagActions();
  const mayAdd = useMayAdd();
  const tagMax = usePublicConfig()?.text_limits.tag;
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState<Record<string, boolean>>({});
  const [saving, setSaving] = useState(false);
  const [first] = files;
  const isMixed = files.some((file) => file.team_id !== first?.team_id);
  // A tag belongs to the owner of its files.
  const fitting = tags.filter((tag) => tag.may_change && tag.team_id === first?.team_id);
  const wanted = words.trim();
  const shown = fitting.filter(({ name }) => fold(name).includes(fold(wanted)));
  const isNew = mayAdd && wanted !== "" && !fitting.some(({ name }) => fold(name) === fold(wanted));

  const create = async () => {
    setSaving(true);
    const tag = await actions.create(wanted);
    setSaving(false);
    if (tag === null) return;
    setWords("");
    setChosen((held) => ({ ...held, [tag.slug]: true }));
  };
  const save = async () => {
    setSaving(true);
    const saved = await apply(files, fitting, chosen, actions);
    setSaving(false);
    if (saved) onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        files.length === 1
          ? t("tags.of", { name: first?.name })
          : tLibrary("tags.ofFiles", { files: files.length })
      }
    >
      {isMixed ? (
        <Text>{tLibrary("tags.mixedTeams")}</Text>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void (isNew ? create() : save());
          }}
        >
          <TextInput
            label={tLibrary("tags.find")}
            value={words}
            data-autofocus
            maxLength={tagMax}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          {!mayAdd && <LookOnly about="tags" />}
          {shown.length === 0 && !isNew && (
            <Text mt="sm" className="quiet">
              {tLibrary("tags.empty")}
            </Text>
          )}
          <ul className={styles.choices} aria-label={tLibrary("tags.tags")}>
            {shown.map((tag) => {
              const held = stateOf(files, tag.slug);
              return (
                <li key={tag.slug}>
                  <Checkbox
                    py={5}
                    checked={chosen[tag.slug] ?? held === "all"}
                    indeterminate={chosen[tag.slug] === undefined && held === "some"}
                    onChange={(event) => {
                      const { checked } = event.currentTarget;
                      setChosen((all) => ({ ...all, [tag.slug]: checked }));
                    }}
                    label={
                      <span className={styles.choice}>
                        <TagDot colour={tag.colour} />
                        {tag.name}
                      </span>
                    }
                  />
                </li>
              );
            })}
          </ul>
          <Group justify="space-between" mt="lg">
            {isNew ? (
              <Button
                variant="light"
                loading={saving}
                leftSection={<IconPlus size={16} />}
                onClick={() => void create()}
              >
                {tLibrary("tags.create", { wanted })}
              </Button>
            ) : (
              <span />
            )}
            <Button loading={saving} disabled={isNew} onClick={() => void save()}>
              {tLibrary("tags.save")}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  );
}

const fold = (text: string): string => text.toLocaleLowerCase();

/** One file gets its whole list; several get only what was changed here. */
function apply(
  files: readonly Tagged[],
  tags: readonly Tag[],
  chosen: Record<string, boolean>,
  actions: ReturnType<typeof useTagActions>,
): Promise<boolean> {
  const [file] = files;
  if (files.length === 1 && file !== undefined) {
    const kept = tags.filter(({ slug }) => chosen[slug] ?? stateOf(files, slug) === "all");
    return actions.setTags(
      file.slug,
      kept.map(({ slug }) => slug),
    );
  }
  const slugs = (wanted: boolean) =>
    Object.entries(chosen).flatMap(([slug, isChosen]) => (isChosen === wanted ? [slug] : []));
  return actions.tagFiles({
    ids: files.map(({ id }) => id),
    add: slugs(true),
    remove: slugs(false),
  });
}
