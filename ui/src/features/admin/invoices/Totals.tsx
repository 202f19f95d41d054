import { t } from "../../../platform/i18n/en/adminInvoices";
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
    <section className={`card ${styles.totals}`} aria-label={t("totalsByMonth")} tabIndex={0}>
      <table aria-label={t("totalsByMonth")}>
        <thead>
          <tr>
            <th scope="col">{t("month")}</th>
            <th scope="col">{t("invoices")}</th>
            <th scope="col">{t("paid")}</th>
            <th scope="col">{t("open")}</th>
            <th scope="col">{t("uncollectible")}</th>
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
