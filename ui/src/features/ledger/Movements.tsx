import { ActionIcon, Anchor, Table, Tooltip } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../platform/messages/ledger";
import { IconArrowBackUp } from "../../platform/theme/icons";
import type { Movement } from "./data";
import { KINDS, minutes, moment, money, payment, remark } from "./words";
import styles from "./ledger.module.css";

interface Props {
  movements: Movement[];
  /** Given for administrators. */
  onRefund?: (movement: Movement) => void;
}

/** What was used, reserved and given back, the newest first. */
export function Movements({ movements, onRefund }: Props) {
  return (
    <Table.ScrollContainer minWidth={720} type="native" className="card">
      <Table verticalSpacing="sm" horizontalSpacing="md" aria-label={t("movements")}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("when")}</Table.Th>
            <Table.Th>{t("what")}</Table.Th>
            <Table.Th>{t("file")}</Table.Th>
            <Table.Th ta="end">{t("minutes")}</Table.Th>
            <Table.Th>{t("paidBy")}</Table.Th>
            {onRefund !== undefined && <Table.Th aria-label={t("refund")} />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {movements.map((movement) => (
            <Table.Tr key={movement.id} data-testid="movement" data-kind={movement.kind}>
              <Table.Td className={styles.when}>{moment(movement.at)}</Table.Td>
              <Table.Td>
                {KINDS[movement.kind]}
                <span className={styles.note}>
                  {[movement.work_name, remark(movement)].filter(Boolean).join(" · ")}
                </span>
              </Table.Td>
              <Table.Td className={styles.file}>
                <FileOf movement={movement} />
                {movement.user !== null && <span className={styles.note}>{movement.user}</span>}
              </Table.Td>
              <Table.Td ta="end" className="tabular">
                {minutes(movement.seconds)}
              </Table.Td>
              <Table.Td>
                {payment(movement)}
                {movement.cents > 0 && <span className={styles.note}>{money(movement.cents)}</span>}
              </Table.Td>
              {onRefund !== undefined && (
                <Table.Td>
                  {movement.kind === "settle" && !movement.is_refunded && (
                    <Tooltip label={t("giveBack")}>
                      <ActionIcon
                        aria-label={t("giveBack.start", { seconds: minutes(movement.seconds) })}
                        onClick={() => onRefund(movement)}
                      >
                        <IconArrowBackUp size={18} />
                      </ActionIcon>
                    </Tooltip>
                  )}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function FileOf({ movement: { file, file_id } }: { movement: Movement }) {
  if (file !== null) {
    return (
      <Anchor component={Link} to={`/captions/${file.slug}`} title={file.name} inherit>
        {file.name}
      </Anchor>
    );
  }
  return file_id === null ? null : <span className="quiet">{t("file.closed")}</span>;
}
