import { SeverityBadge, type Severity } from "../../../layouts/SeverityBadge";
import type { Invoice } from "./data";

export const STATES: Record<Invoice["state"], { words: string; severity: Severity }> = {
  draft: { words: "Draft", severity: "secondary" },
  open: { words: "Open", severity: "info" },
  paid: { words: "Paid", severity: "success" },
  void: { words: "Void", severity: "secondary" },
  uncollectible: { words: "Uncollectible", severity: "danger" },
};

export function InvoiceState({ invoice }: { invoice: Invoice }) {
  const { words, severity } = STATES[invoice.state];
  const isLate =
    invoice.state === "open" && invoice.due_at !== null && Date.parse(invoice.due_at) < Date.now();
  return (
    <SeverityBadge severity={isLate ? "warn" : severity}>
      {isLate ? "Overdue" : words}
    </SeverityBadge>
  );
}
