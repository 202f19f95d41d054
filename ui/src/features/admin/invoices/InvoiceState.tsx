import { t } from "../../../platform/i18n/en/adminInvoices";
import { SeverityBadge, type Severity } from "../../../platform/page/SeverityBadge";
import type { Invoice } from "./data";

export const STATES: Record<Invoice["state"], { words: string; severity: Severity }> = {
  draft: { words: t("draft"), severity: "secondary" },
  open: { words: t("open"), severity: "info" },
  paid: { words: t("paid"), severity: "success" },
  void: { words: t("void"), severity: "secondary" },
  uncollectible: { words: t("uncollectible"), severity: "danger" },
};

export function InvoiceState({ invoice }: { invoice: Invoice }) {
  const { words, severity } = STATES[invoice.state];
  const isLate =
    invoice.state === "open" && invoice.due_at !== null && Date.parse(invoice.due_at) < Date.now();
  return (
    <SeverityBadge severity={isLate ? "warn" : severity}>
      {isLate ? t("overdue") : words}
    </SeverityBadge>
  );
}
