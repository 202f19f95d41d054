import { Button, Checkbox, Select, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { Link } from "react-router";
import { ApiError } from "../../../platform/api/client";
import { t } from "../../../platform/messages/admin";
import { toast } from "../../../platform/notices/toast";
import { changeUser, type AdminUserDetail, type UserChange } from "./data";
import styles from "./users.module.css";

interface Props {
  user: AdminUserDetail;
  onChange: (user: AdminUserDetail) => void;
}

/** Who the account is for. A personal number can be replaced, never read. */
export function ProfileCard({ user, onChange }: Props) {
  const [draft, setDraft] = useState<UserChange>({});
  const [errors, setErrors] = useState<Record<string, string[]>>({});
  const [busy, setBusy] = useState(false);
  const isDeleted = user.deleted_at !== null;
  const isChanged = Object.keys(draft).length > 0;
  const change = (fields: UserChange) => setDraft({ ...draft, ...fields });

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setErrors({});
    try {
      onChange(await changeUser(user.id, draft));
      setDraft({});
      toast("success", t("users.saved"));
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.fields);
      toast("error", (error as Error).message);
    }
    setBusy(false);
  };
  return (
    <section className={`card ${styles.section}`} aria-labelledby="profile">
      <Title order={2} id="profile">
        {t("users.profile")}
      </Title>
      <form className={styles.form} onSubmit={(event) => void save(event)}>
        <div className={styles.fields}>
          <TextInput
            label={t("users.name")}
            maxLength={200}
            disabled={isDeleted}
            value={draft.name ?? user.name}
            error={errors.name?.[0]}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <TextInput
            label={t("users.eMail")}
            type="email"
            maxLength={254}
            disabled={isDeleted}
            value={draft.email ?? user.email}
            error={errors.email?.[0]}
            onChange={({ currentTarget }) => change({ email: currentTarget.value })}
          />
          <TextInput
            label={t("users.contact")}
            maxLength={200}
            disabled={isDeleted}
            value={draft.contact ?? user.contact ?? ""}
            error={errors.contact?.[0]}
            onChange={({ currentTarget }) => change({ contact: currentTarget.value })}
          />
          <TextInput
            label={t("users.personalNumber")}
            maxLength={40}
            disabled={isDeleted}
            autoComplete="off"
            placeholder={user.ssn ?? t("users.none")}
            value={draft.ssn ?? ""}
            error={errors.ssn?.[0]}
            onChange={({ currentTarget }) => change({ ssn: currentTarget.value })}
          />
          <Select
            label={t("users.locale.label")}
            allowDeselect={false}
            disabled={isDeleted}
            data={[
              { value: "en", label: t("users.english") },
              { value: "is", label: t("users.icelandic") },
            ]}
            value={draft.locale ?? user.locale}
            onChange={(locale) => change({ locale: locale === "is" ? "is" : "en" })}
          />
          <Checkbox
            label={t("users.email.isConfirmed")}
            disabled={isDeleted}
            checked={draft.email_verified ?? user.email_verified}
            onChange={({ currentTarget }) => change({ email_verified: currentTarget.checked })}
          />
        </div>
        <dl className={styles.facts}>
          <dt>{t("users.company")}</dt>
          <dd>
            {user.company === null ? (
              t("users.none")
            ) : (
              <Link to={`/admin/companies/${user.company.id}`}>{user.company.name}</Link>
            )}
          </dd>
        </dl>
        <div className={styles.buttons}>
          {user.ssn !== null && !isDeleted && (
            <Button
              variant="subtle"
              color="red"
              disabled={draft.ssn === ""}
              onClick={() => change({ ssn: "" })}
            >
              {t("users.personalNumber.remove")}
            </Button>
          )}
          <Button type="submit" loading={busy} disabled={!isChanged || isDeleted}>
            {t("users.save")}
          </Button>
        </div>
      </form>
    </section>
  );
}
