import { money } from "../list/words";
import { useTotals } from "./data";
import styles from "./invoices.module.css";

/** What was billed in the last months, and what of it is paid. */
export function Totals() {
  const { data, error } = useTotals();
  if (error !== undefined) return <p className="danger-text">{error.message}</p>;
  if (data === undefined || data.length === 0) return null;
  return (
    <section className={`card ${styles.totals}`} aria-label="Totals by month">
      <table aria-label="Totals by month">
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">Invoices</th>
            <th scope="col">Paid</th>
            <th scope="col">Open</th>
            <th scope="col">Uncollectible</th>
          </tr>
        </thead>
        <tbody>
          {data.map((month) => (
            <tr key={`${month.month}${month.currency}`}>
              <th scope="row">
                {new Date(month.month).toLocaleString("en", {
                  month: "long",
                  year: "numeric",
                  timeZone: "UTC",
                })}
              </th>
              <td>{month.invoices.toLocaleString("en")}</td>
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
