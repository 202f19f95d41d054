import { Button, Textarea, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError } from "../../../platform/api/client";
import { t } from "../../../platform/messages/admin";
import { toast } from "../../../platform/notices/toast";
import type { CompanyChange, CompanyDetail } from "./data";
import styles from "../users/users.module.css";

const FIELDS = [
  { name: "registration_number", label: t("companies.registrationNumber"), max: 40 },
  { name: "vat_number", label: t("companies.vatNumber"), max: 40 },
  { name: "contact", label: t("companies.contact"), max: 200 },
  { name: "email", label: t("companies.email"), max: 254 },
  { name: "phone", label: t("companies.telephone"), max: 40 },
  { name: "country", label: t("companies.country"), max: 2 },
] as const;

interface Props {
  company?: CompanyDetail;
  verb: string;
  disabled?: boolean;
  onSave: (change: CompanyChange) => Promise<CompanyDetail>;
  onSaved: (company: CompanyDetail) => void;
  onCancel?: () => void;
}

/** What we know about a company. */
export function CompanyForm({ company, verb, disabled, onSave, onSaved, onCancel }: Props) {
  const [draft, setDraft] = useState<CompanyChange>(company ? formOf(company) : { name: "" });
  const [errors, setErrors] = useState<Record<string, string[]>>({});
  const [busy, setBusy] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setErrors({});
    try {
      onSaved(await onSave(draft));
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.fields);
      toast("error", (error as Error).message);
    }
    setBusy(false);
  };
  const field = (name: keyof CompanyChange) => ({
    name,
    disabled,
    value: draft[name] ?? "",
    error: errors[name]?.[0],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setDraft({ ...draft, [name]: currentTarget.value }),
  });
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <TextInput
        label={t("companies.name")}
        required
        maxLength={200}
        data-autofocus
        {...field("name")}
      />
      <div className={styles.fields}>
        {FIELDS.map(({ name, label, max }) => (
          <TextInput key={name} label={label} maxLength={max} {...field(name)} />
        ))}
      </div>
      <TextInput label={t("companies.address")} maxLength={500} {...field("address")} />
      <Textarea
        label={t("companies.note")}
        maxLength={2000}
        autosize
        minRows={2}
        {...field("note")}
      />
      <div className={styles.buttons}>
        {onCancel !== undefined && (
          <Button variant="default" onClick={onCancel}>
            {t("companies.cancel")}
          </Button>
        )}
        <Button
          type="submit"
          loading={busy}
          disabled={disabled === true || draft.name.trim() === ""}
        >
          {verb}
        </Button>
      </div>
    </form>
  );
}

const formOf = (company: CompanyDetail): CompanyChange => ({
  name: company.name,
  registration_number: company.registration_number,
  vat_number: company.vat_number,
  contact: company.contact,
  email: company.email,
  phone: company.phone,
  country: company.country,
  address: company.address,
  note: company.note,
});
