import { Table, Title } from "@mantine/core";
import { t } from "../../platform/messages/ledger";
import type { Grant } from "./data";
import { date, minutes, SOURCES } from "./words";
import styles from "./ledger.module.css";

/** The minutes that pay now, in the order in which they do. */
export function Grants({ grants }: { grants: Grant[] }) {
  if (grants.length === 0) return null;
  return (
    <section aria-labelledby="grants" className={styles.part}>
      <div>
        <Title order={2} id="grants">
          {t("grants.title")}
        </Title>
        <p className="quiet">{t("grants.about")}</p>
      </div>
      <Table.ScrollContainer minWidth={560} type="native" className="card">
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("from")}</Table.Th>
              <Table.Th ta="end">{t("given")}</Table.Th>
              <Table.Th ta="end">{t("used")}</Table.Th>
              <Table.Th ta="end">{t("reserved")}</Table.Th>
              <Table.Th ta="end">{t("left")}</Table.Th>
              <Table.Th>{t("expires")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {grants.map((grant, index) => (
              <Table.Tr key={grant.id ?? index} data-testid="grant">
                <Table.Td>
                  {SOURCES[grant.source]}
                  {grant.note !== null && <span className={styles.note}>{grant.note}</span>}
                </Table.Td>
                <Table.Td ta="end">{minutes(grant.seconds)}</Table.Td>
                <Table.Td ta="end">{minutes(grant.spent)}</Table.Td>
                <Table.Td ta="end">{minutes(grant.held)}</Table.Td>
                <Table.Td ta="end">{minutes(grant.available)}</Table.Td>
                <Table.Td>
                  {grant.expires_at === null ? t("never") : date(grant.expires_at)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}
