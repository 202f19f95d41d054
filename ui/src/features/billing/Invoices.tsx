import { Badge, Button, Pagination, Table, Title } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/billing";
import { IconDownload } from "../../platform/theme/icons";
import { INVOICES_PER_PAGE, pdfUrl, useInvoices } from "./data";
import { day, INVOICE_STATES, money } from "./words";
import styles from "./billing.module.css";

/** All invoices, the newest first, each with its PDF. */
export function Invoices() {
  const [page, setPage] = useState(1);
  const { data, error, mutate } = useInvoices(page);
  const pages = Math.ceil((data?.meta.total ?? 0) / INVOICES_PER_PAGE);
  return (
    <section className={styles.section} aria-labelledby="invoices">
      <Title order={2} id="invoices">
        {t("invoices")}
      </Title>
      {error !== undefined && (
        <p role="alert">
          {error.message}{" "}
          <Button size="compact-sm" variant="default" onClick={() => void mutate()}>
            {t("tryAgain")}
          </Button>
        </p>
      )}
      {data === undefined && error === undefined && (
        <div className={`skeleton ${styles.previewWait}`} role="status" aria-label={t("loading")} />
      )}
      {data?.data.length === 0 && <p className="quiet">{t("invoices.none")}</p>}
      {data !== undefined && data.data.length > 0 && (
        <div className={`card ${styles.invoices}`}>
          <Table verticalSpacing="sm" aria-labelledby="invoices">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("date")}</Table.Th>
                <Table.Th className={styles.number}>{t("number")}</Table.Th>
                <Table.Th>{t("state")}</Table.Th>
                <Table.Th ta="right">{t("total")}</Table.Th>
                <Table.Th>
                  <span className="visually-hidden">PDF</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map((invoice) => (
                <Table.Tr key={invoice.id} data-testid="invoice">
                  <Table.Td>{invoice.issued_at === null ? "" : day(invoice.issued_at)}</Table.Td>
                  <Table.Td className={styles.number}>{invoice.number}</Table.Td>
                  <Table.Td>
                    <Badge
                      variant="light"
                      className={styles.state}
                      color={INVOICE_STATES[invoice.state].colour}
                    >
                      {INVOICE_STATES[invoice.state].label}
                    </Badge>
                  </Table.Td>
                  <Table.Td ta="right" className="tabular">
                    {money(invoice.total)}
                  </Table.Td>
                  <Table.Td ta="right">
                    <Button
                      component="a"
                      href={pdfUrl(invoice.id)}
                      download
                      size="compact-sm"
                      variant="subtle"
                      leftSection={<IconDownload size={15} />}
                      aria-label={t("invoices.download", { number: invoice.number ?? "" })}
                    >
                      PDF
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={setPage}
          getItemProps={(item) => ({ "aria-label": t("pageItem", { item }) })}
        />
      )}
    </section>
  );
}
