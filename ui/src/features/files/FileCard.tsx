import { ActionIcon, Button, Group, Menu, Modal, Progress, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { Link } from "react-router";
import { isWorking, useFileActions, type MediaFile } from "./data";
import { clock, day, timeLeft } from "./format";
import { StatusBadge } from "./StatusBadge";
import "./files.css";

/** What the file is doing, in words: phase, place in the queue, time left. */
export function stateLine(file: MediaFile): string {
  if (file.error !== null && !isWorking(file)) return file.error;
  if (file.queue_place !== null) {
    return file.queue_place === 1 ? "Next in the queue" : `Place ${file.queue_place} in the queue`;
  }
  const left = file.eta_s === null ? "" : ` · ${timeLeft(file.eta_s)}`;
  if (file.status === "processing") return `Preprocessing ${file.progress} %${left}`;
  if (file.status === "transcribing") return `Transcribing ${file.progress} %${left}`;
  return [file.language, day(file.created_at)].join(" · ");
}

export function FileCard({ file }: { file: MediaFile }) {
  const actions = useFileActions();
  const [renaming, rename] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const [name, setName] = useState(file.name);
  const working = isWorking(file);
  const target = working ? `/captions/processing/${file.slug}` : `/captions/${file.slug}`;
  return (
    <li className="card file" data-testid="file" data-slug={file.slug}>
      <Link to={target} className="file-poster" tabIndex={-1} aria-hidden="true">
        {file.poster_url !== null && <img src={file.poster_url} alt="" loading="lazy" />}
        {file.duration_ms !== null && <span className="tabular">{clock(file.duration_ms)}</span>}
      </Link>
      <div className="file-body">
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Link to={target} className="file-name" title={file.name}>
            {file.name}
          </Link>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={`More for ${file.name}`}>
                <span aria-hidden="true">⋯</span>
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={rename.open}>Rename</Menu.Item>
              <Menu.Item component="a" href={`/api/files/${file.slug}/original`}>
                Download the original
              </Menu.Item>
              {working && (
                <Menu.Item onClick={() => void actions.cancel(file.slug)}>Cancel</Menu.Item>
              )}
              {(file.status === "failed" || file.status === "abandoned") && (
                <Menu.Item onClick={() => void actions.retry(file.slug)}>Start again</Menu.Item>
              )}
              <Menu.Item color="red" onClick={remove.open}>
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
        <Group gap="xs" wrap="nowrap" align="center">
          <StatusBadge status={file.status} />
          <Text size="sm" className="quiet" lineClamp={2}>
            {stateLine(file)}
          </Text>
        </Group>
        {working && (
          <Progress
            value={file.progress}
            size="sm"
            animated
            aria-label={`Progress of ${file.name}`}
          />
        )}
      </div>
      <Modal opened={renaming} onClose={rename.close} title="Rename" centered>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void actions.rename(file.slug, name).then((done) => done && rename.close());
          }}
        >
          <TextInput
            label="Name"
            value={name}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end" mt="md">
            <Button type="submit" disabled={name.trim() === ""}>
              Save
            </Button>
          </Group>
        </form>
      </Modal>
      <Modal opened={deleting} onClose={remove.close} title="Delete this file?" centered>
        <Text>The video, its captions and exports are removed for good.</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={remove.close}>
            Keep it
          </Button>
          <Button color="red" onClick={() => void actions.remove(file.slug)}>
            Delete
          </Button>
        </Group>
      </Modal>
    </li>
  );
}
