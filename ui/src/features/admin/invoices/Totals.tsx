import { t } from "../../../platform/messages/admin";
import { formatLocale } from "../../../platform/i18n/locale";
import { money } from "../list/words";
import { monthName, useTotals } from "./data";
import styles from "./invoices.module.css";

/** What was billed in the last months, and what of it is paid. */
export function Totals() {
  const { data, error } = useTotals();
  if (error !== undefined) return <p className="danger-text">{error.message}</p>;
  if (data === undefined || data.length === 0) return null;
  return (
    <section
      className={`card ${styles.totals}`}
      aria-label={t("invoices.totals.title")}
      tabIndex={0}
    >
      <table aria-label={t("invoices.totals.title")}>
        <thead>
          <tr>
            <th scope="col">{t("invoices.month")}</th>
            <th scope="col">{t("invoices.invoices")}</th>
            <th scope="col">{t("invoices.paid")}</th>
            <th scope="col">{t("invoices.open")}</th>
            <th scope="col">{t("invoices.uncollectible")}</th>
          </tr>
        </thead>
        <tbody>
          {data.map((month) => (
            <tr key={`${month.month}${month.currency}`}>
              <th scope="row">{monthName(month.month)}</th>
              <td>{month.invoices.toLocaleString(formatLocale)}</td>
              {[month.paid, month.open, month.uncollectible].map((cents, index) => (
                <td key={index}>{money(cents, month.currency)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
