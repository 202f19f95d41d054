import { Badge } from "@mantine/core";

/** Status → severity → colour: the severities are the specification's (section 9). */
const SEVERITY: Record<string, "danger" | "success" | "info" | "warn" | "secondary"> = {
  failed: "danger",
  error: "danger",
  completed: "success",
  complete: "success",
  processing: "info",
  uploading: "info",
  transcribing: "info",
  progressing: "info",
  waiting: "warn",
  submitted: "warn",
  incomplete: "warn",
  abandoned: "secondary",
  cancelled: "secondary",
  canceled: "secondary",
};

const COLOUR = { danger: "red", success: "teal", info: "blue", warn: "yellow", secondary: "gray" };

export function StatusBadge({ status }: { status: string }) {
  const severity = SEVERITY[status] ?? "secondary";
  return (
    <Badge
      variant="light"
      color={COLOUR[severity]}
      radius="sm"
      tt="capitalize"
      data-status={status}
      data-severity={severity}
    >
      {status}
    </Badge>
  );
}
