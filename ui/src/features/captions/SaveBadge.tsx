import { Badge, Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { Editor } from "./useEditor";

const TEXT = {
  saved: "All changes saved",
  saving: "Saving…",
  failed: "Not saved",
  conflict: "Changed elsewhere",
};
const COLOUR = { saved: "teal", saving: "gray", failed: "red", conflict: "orange" };

/** Whether everything is saved; what to do when it is not. */
export function SaveBadge({ editor }: { editor: Editor }) {
  const { state } = editor;
  return (
    <Group gap={6}>
      <Badge
        variant="dot"
        color={COLOUR[state.kind]}
        tt="none"
        size="lg"
        role="status"
        data-testid="save-state"
      >
        {TEXT[state.kind]}
      </Badge>
      {state.kind === "failed" && (
        <Button size="compact-sm" variant="light" color="red" onClick={editor.retry}>
          Try again
        </Button>
      )}
      <Modal
        opened={state.kind === "conflict"}
        onClose={() => editor.resolve("theirs")}
        title="This line was changed elsewhere"
        centered
      >
        {state.kind === "conflict" && (
          <Stack gap="sm">
            <Text>{state.message}</Text>
            <div>
              <Text size="sm" className="quiet">
                It says now
              </Text>
              <Text className="conflict-text">{state.theirs ?? "(the line was deleted)"}</Text>
            </div>
            <div>
              <Text size="sm" className="quiet">
                You wrote
              </Text>
              <Text className="conflict-text">{state.mine.content ?? state.mine.action}</Text>
            </div>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => editor.resolve("theirs")}>
                Keep what it says
              </Button>
              {state.theirs !== null && (
                <Button onClick={() => editor.resolve("mine")}>Use mine</Button>
              )}
            </Group>
          </Stack>
        )}
      </Modal>
    </Group>
  );
}
