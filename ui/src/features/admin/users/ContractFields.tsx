import { NumberInput } from "@mantine/core";
import { t } from "../../../platform/messages/admin";
import styles from "./users.module.css";

/** The numbers of a contract as the form holds them: money in whole currency units, "" for no limit. */
export interface ContractDraft {
  price_monthly: number | string;
  price_minutes: number | string;
  max_hours: number | string;
  max_space: number | string;
  max_users: number | string;
}

export const NO_CONTRACT: ContractDraft = {
  price_monthly: 0,
  price_minutes: 0,
  max_hours: "",
  max_space: "",
  max_users: "",
};

const cents = (amount: number | string): number => Math.round(Number(amount || 0) * 100);
const limit = (count: number | string): number | null =>
  count === "" ? null : Math.trunc(Number(count));

/** The draft as the server takes it: cents, hours, gigabytes and people. */
export const contractOf = (draft: ContractDraft) => ({
  price_monthly: cents(draft.price_monthly),
  price_minutes: cents(draft.price_minutes),
  max_hours: limit(draft.max_hours),
  max_space: limit(draft.max_space),
  max_users: limit(draft.max_users),
});

export const draftOf = (
  contract: {
    price_monthly: number;
    price_minutes: number;
    max_hours: number | null;
    max_space: number | null;
    max_users?: number | null;
  } | null,
): ContractDraft =>
  contract === null
    ? NO_CONTRACT
    : {
        price_monthly: contract.price_monthly / 100,
        price_minutes: contract.price_minutes / 100,
        max_hours: contract.max_hours ?? "",
        max_space: contract.max_space ?? "",
        max_users: contract.max_users ?? "",
      };

interface Props {
  draft: ContractDraft;
  onChange: (fields: Partial<ContractDraft>) => void;
  errors?: Record<string, string[]>;
}

const FIELDS = [
  { name: "price_monthly", label: t("users.contract.monthlyPrice"), prefix: "$", decimals: 2 },
  { name: "price_minutes", label: t("users.contract.minutePrice"), prefix: "$", decimals: 2 },
  { name: "max_hours", label: t("users.contract.hours"), decimals: 0 },
  { name: "max_space", label: t("users.storage"), suffix: " GB", decimals: 0 },
  { name: "max_users", label: t("users.people"), decimals: 0 },
] as const;

/** Prices and limits. An empty limit means no limit. */
export function ContractFields({ draft, onChange, errors = {} }: Props) {
  return (
    <div className={styles.fields}>
      {FIELDS.map(({ name, label, decimals, ...affixes }) => (
        <NumberInput
          key={name}
          name={name}
          label={label}
          min={name === "max_users" ? 1 : 0}
          decimalScale={decimals}
          fixedDecimalScale={decimals > 0}
          thousandSeparator=","
          allowNegative={false}
          placeholder={decimals > 0 ? undefined : t("users.noLimit")}
          {...affixes}
          value={draft[name]}
          error={errors[name]?.[0]}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
    </div>
  );
}
