import { ActionIcon, Badge, Button, Group, Text, Title } from "@mantine/core";
import { useRef } from "react";
import { Link } from "react-router";
import type { MediaFile } from "../files/data";
import { toast } from "../notifications/toast";
import { importSubtitles } from "./importSubtitles";
import { SaveBadge } from "./SaveBadge";
import type { Editor } from "./useEditor";

interface Props {
  file: MediaFile;
  editor: Editor;
  onExport: () => void;
  onKeys: () => void;
}

export function EditorToolbar({ file, editor, onExport, onKeys }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const { captions } = editor;
  const live = captions?.is_live ?? false;

  const bringIn = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    try {
      await importSubtitles(file.slug, chosen);
      await editor.reload();
      toast("success", "The subtitles were imported. Undo brings the old ones back.");
    } catch (error) {
      toast("error", (error as Error).message);
    }
  };

  return (
    <Group justify="space-between" className="editor-bar" gap="sm">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <ActionIcon
          component={Link}
          to="/dashboard"
          variant="subtle"
          color="gray"
          aria-label="Back to uploads"
        >
          <span aria-hidden="true">←</span>
        </ActionIcon>
        <div className="editor-title">
          <Title order={1} size="h3" lineClamp={1}>
            {file.name}
          </Title>
          {file.engine !== null && (
            <Text size="xs" className="quiet" title={file.engine_note ?? undefined} lineClamp={1}>
              Heard by {file.engine}
              {file.engine_note === null ? "" : ` · ${file.engine_note}`}
            </Text>
          )}
        </div>
      </Group>
      <Group gap="xs">
        {live ? (
          <Badge variant="light" color="orange" size="lg" tt="none">
            Live · {file.progress} %
          </Badge>
        ) : (
          <SaveBadge editor={editor} />
        )}
        <Button
          variant="default"
          size="compact-md"
          disabled={live || captions?.can_undo !== true}
          onClick={() => void editor.change({ action: "Undo" })}
        >
          Undo
        </Button>
        <Button
          variant="default"
          size="compact-md"
          disabled={live || captions?.can_redo !== true}
          onClick={() => void editor.change({ action: "Redo" })}
        >
          Redo
        </Button>
        <Button
          variant="default"
          size="compact-md"
          disabled={live}
          onClick={() => input.current?.click()}
        >
          Import SRT
        </Button>
        <Button size="compact-md" disabled={live} onClick={onExport}>
          Export
        </Button>
        <ActionIcon variant="default" aria-label="Keys" onClick={onKeys}>
          ?
        </ActionIcon>
        <input
          ref={input}
          type="file"
          hidden
          accept=".srt,text/plain"
          aria-label="Subtitle file to import"
          onChange={(event) => {
            void bringIn(event.currentTarget.files?.[0]);
            event.currentTarget.value = "";
          }}
        />
      </Group>
    </Group>
  );
}
