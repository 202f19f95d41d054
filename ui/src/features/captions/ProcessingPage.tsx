import { Alert, Button, Group, Progress, Stack, Text, Title } from "@mantine/core";
import { Link, useNavigate, useParams } from "react-router";
import { usePageTitle } from "../../layouts/usePageTitle";
import { isWorking, useFile, useFileActions } from "../files/data";
import { EmptyState } from "../../layouts/EmptyState";
import { stateLine } from "../files/stateLine";
import { clock } from "../files/format";
import { StatusBadge } from "../files/StatusBadge";
import { useCaptions } from "./useEditorStore";
import "./processing.css";

const STEPS = [
  { name: "Upload", states: ["uploading"] },
  { name: "Preprocess", states: ["waiting", "processing"] },
  { name: "Transcribe", states: ["transcribing"] },
];

/** Where a file is on its way, with the lines heard so far. */
export default function ProcessingPage() {
  usePageTitle("Processing & Transcribing");
  const { slug = "" } = useParams();
  const navigate = useNavigate();
  const { data: file, error } = useFile(slug);
  const { data: captions } = useCaptions(slug);
  const actions = useFileActions();

  if (file === undefined) {
    return error === undefined ? (
      <EmptyState title="" description="" />
    ) : (
      <Alert color="red" m="lg" role="alert">
        {error.message}
      </Alert>
    );
  }
  const working = isWorking(file);
  const at = STEPS.findIndex((step) => step.states.includes(file.status));
  const done = file.status === "completed" ? STEPS.length : at;
  const lines = captions?.lines ?? [];
  return (
    <Stack className="processing" gap="lg">
      <Group justify="space-between" gap="sm">
        <Group gap="sm" miw={0}>
          <Title order={1}>{file.name}</Title>
          <StatusBadge status={file.status} />
        </Group>
        <Group gap="xs">
          {working && (
            <Button variant="default" onClick={() => void actions.cancel(slug)}>
              Cancel
            </Button>
          )}
          {(file.status === "failed" || file.status === "abandoned") && (
            <Button variant="default" onClick={() => void actions.retry(slug)}>
              Start again
            </Button>
          )}
          <Button
            disabled={file.status !== "completed" && lines.length === 0}
            onClick={() => void navigate(`/captions/${slug}`)}
          >
            {working ? "Open the captions" : "Edit the captions"}
          </Button>
        </Group>
      </Group>
      <ol className="steps" aria-label="Steps">
        {STEPS.map((step, index) => (
          <li
            key={step.name}
            className={index < done ? "step step-done" : index === done ? "step step-now" : "step"}
            aria-current={index === done ? "step" : undefined}
          >
            <span aria-hidden="true">{index < done ? "✓" : index + 1}</span>
            {step.name}
          </li>
        ))}
      </ol>
      {working && (
        <div>
          <Progress
            value={file.progress}
            size="lg"
            animated
            aria-label={`${file.status}, ${file.progress} %`}
          />
          <Text mt={6} className="quiet tabular" role="status">
            {stateLine(file)}
          </Text>
        </div>
      )}
      {file.error !== null && !working && (
        <Alert color="red" role="alert">
          {file.error}
        </Alert>
      )}
      {file.engine_note !== null && <Text className="quiet">{file.engine_note}</Text>}
      <section className="card heard" aria-label="Lines heard so far">
        {lines.length === 0 ? (
          <Text className="quiet" p="lg">
            {working ? "Lines appear here as soon as they are heard." : "No lines were heard."}
          </Text>
        ) : (
          <ol aria-live="polite">
            {lines.map((line) => (
              <li key={line.id} data-testid="heard-line">
                <span className="quiet tabular">{clock(line.start_ms)}</span>
                <span>{line.text}</span>
              </li>
            ))}
          </ol>
        )}
      </section>
      <Text size="sm">
        <Link to="/dashboard">Back to uploads</Link>
      </Text>
    </Stack>
  );
}
