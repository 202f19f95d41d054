import { Table, Title } from "@mantine/core";
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
          Where minutes come from
        </Title>
        <p className="quiet">Used from the top. What expires first is used first.</p>
      </div>
      <Table.ScrollContainer minWidth={560} type="native" className="card">
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>From</Table.Th>
              <Table.Th ta="end">Given</Table.Th>
              <Table.Th ta="end">Used</Table.Th>
              <Table.Th ta="end">Reserved</Table.Th>
              <Table.Th ta="end">Left</Table.Th>
              <Table.Th>Expires</Table.Th>
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
                <Table.Td>{grant.expires_at === null ? "Never" : date(grant.expires_at)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}
