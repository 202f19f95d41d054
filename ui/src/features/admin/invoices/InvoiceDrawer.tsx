import { Alert, Button, Drawer, Loader } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../../platform/messages/admin";
import { dateFormat } from "../../../platform/i18n/dates";
import { IconDownload } from "../../../platform/theme/icons";
import { day, money } from "../list/words";
import { DraftEditor } from "./DraftEditor";
import { InvoiceState } from "./InvoiceState";
import { OpenActions } from "./OpenActions";
import { pdfUrl, useInvoice, type Invoice } from "./data";
import styles from "./invoices.module.css";

export function InvoiceDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <Drawer
      opened={id !== ""}
      onClose={onClose}
      position="right"
      size="lg"
      title={t("invoices.invoice")}
      closeButtonProps={{ "aria-label": t("invoices.close") }}
    >
      {id !== "" && <Content key={id} id={id} onClose={onClose} />}
    </Drawer>
  );
}

function Content({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: invoice, error } = useInvoice(id);
  if (invoice === undefined) {
    return error === undefined ? (
      <Loader aria-label={t("invoices.loading")} />
    ) : (
      <Alert color="red" role="alert">
        {error.message}
      </Alert>
    );
  }
  const isOurs = invoice.source === "contract";
  return (
    <div className={styles.detail}>
      <header>
        <h2>{invoice.number ?? t("invoices.draft")}</h2>
        <InvoiceState invoice={invoice} />
        <Button
          size="compact-sm"
          variant="default"
          component="a"
          href={pdfUrl(invoice.id)}
          download
          leftSection={<IconDownload size={15} />}
        >
          PDF
        </Button>
      </header>
      <p>
        {invoice.user_id === null ? (
          invoice.customer_name
        ) : (
          <Link to={`/admin/users/${invoice.user_id}`}>{invoice.customer_name}</Link>
        )}{" "}
        <span className="quiet">{invoice.customer_email}</span>
      </p>
      {invoice.customer_address !== "" && (
        <p className={styles.address}>{invoice.customer_address}</p>
      )}
      <p className="quiet">{dates(invoice)}</p>
      {isOurs && invoice.state === "draft" ? (
        <DraftEditor key={JSON.stringify(invoice.lines)} invoice={invoice} onDiscarded={onClose} />
      ) : (
        <Lines invoice={invoice} />
      )}
      {isOurs && invoice.state === "open" && <OpenActions invoice={invoice} />}
      {!isOurs && <p className="quiet">{t("invoices.stripe")}</p>}
    </div>
  );
}

function Lines({ invoice }: { invoice: Invoice }) {
  const { lines, tax, total, currency } = invoice;
  return (
    <table className={styles.lines} aria-label={t("invoices.lines")}>
      <tbody>
        {lines.map((line, index) => (
          <tr key={index}>
            <td>
              {line.text}
              {line.quantity > 1 && ` × ${line.quantity}`}
            </td>
            <td>{money(line.amount, currency)}</td>
          </tr>
        ))}
        <tr>
          <td>{t("invoices.tax")}</td>
          <td>{money(tax, currency)}</td>
        </tr>
        <tr>
          <th scope="row">{t("invoices.total")}</th>
          <th>{money(total, currency)}</th>
        </tr>
      </tbody>
    </table>
  );
}

function dates({ issued_at, due_at, paid_at, period_start }: Invoice): string {
  const month = dateFormat({ month: "long", year: "numeric", timeZone: "UTC" });
  return [
    period_start && t("invoices.period.from", { periodStart: month(period_start) }),
    issued_at && t("invoices.issued.at", { issuedAt: day(issued_at) }),
    due_at && t("invoices.dueDueat", { dueAt: day(due_at) }),
    paid_at && t("invoices.paid.at", { paidAt: day(paid_at) }),
  ]
    .filter(Boolean)
    .join(", ");
}
