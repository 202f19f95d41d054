import { t } from "../../../platform/messages/admin";
import { SeverityBadge, type Severity } from "../../../platform/page/SeverityBadge";
import type { Invoice } from "./data";

export const STATES: Record<Invoice["state"], { words: string; severity: Severity }> = {
  draft: { words: t("invoices.draft"), severity: "secondary" },
  open: { words: t("invoices.open"), severity: "info" },
  paid: { words: t("invoices.paid"), severity: "success" },
  void: { words: t("invoices.void"), severity: "secondary" },
  uncollectible: { words: t("invoices.uncollectible"), severity: "danger" },
};

export function InvoiceState({ invoice }: { invoice: Invoice }) {
  const { words, severity } = STATES[invoice.state];
  const isLate =
    invoice.state === "open" && invoice.due_at !== null && Date.parse(invoice.due_at) < Date.now();
  return (
    <SeverityBadge severity={isLate ? "warn" : severity}>
      {isLate ? t("invoices.overdue") : words}
    </SeverityBadge>
  );
}
