import type { Invoice } from "./data";
import styles from "./invoices.module.css";

export const STATES: Record<Invoice["state"], { words: string; severity: string }> = {
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
    <span className={styles.badge} data-severity={isLate ? "warn" : severity}>
      {isLate ? "Overdue" : words}
    </span>
  );
}
