import { Button, PasswordInput, Text } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useSWRConfig } from "swr";
import { type ApiError } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/account";
import { Proof, useProof } from "../../domain/person/Proof";
import { toast } from "../../platform/notices/toast";
import { PASSWORD_NOT_SAVED, PASSWORD_SAVED, problemOf, savePassword, type User } from "./data";
import styles from "./account.module.css";

const EMPTY = { password: "", password_confirmation: "" };
const FIELDS = [
  { name: "password", label: t("newPassword"), autoComplete: "new-password" },
  { name: "password_confirmation", label: t("confirmPassword"), autoComplete: "new-password" },
] as const;

/** Change the password; every other browser is signed out. */
export function PasswordSection({ user }: { user: User }) {
  const { mutate } = useSWRConfig();
  const proof = useProof();
  const [values, setValues] = useState(EMPTY);
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await proof.run(async (password_old) => {
        const saved = await savePassword({ password_old, ...values });
        await mutate(keys.user, saved, { revalidate: false });
      });
      setValues(EMPTY);
      toast("success", PASSWORD_SAVED);
    } catch (error) {
      setProblem(problemOf(error, PASSWORD_NOT_SAVED));
    } finally {
      setBusy(false);
    }
  };
  const unnamed =
    problem !== undefined &&
    ["password_old", ...FIELDS.map(({ name }) => name)].every((name) => !problem.fields[name]);
  return (
    <form
      className={`card ${styles.card}`}
      aria-label={t("password")}
      onSubmit={(event) => void save(event)}
      noValidate
    >
      <Text className="quiet">{about(user)}</Text>
      {/* Password managers store the new password for this account. */}
      <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
      <Proof
        user={user}
        proof={proof}
        name="password_old"
        label={t("currentPassword")}
        error={problem?.fields.password_old?.[0]}
      />
      {FIELDS.map(({ name, label, autoComplete }) => (
        <PasswordInput
          key={name}
          name={name}
          label={label}
          autoComplete={autoComplete}
          value={values[name]}
          error={problem?.fields[name]?.[0]}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setValues((held) => ({ ...held, [name]: value }));
          }}
        />
      ))}
      {unnamed && (
        <Text className="danger-text" role="alert">
          {problem.message}
        </Text>
      )}
      <div>
        <Button type="submit" loading={busy}>
          {user.has_password ? t("password.change") : t("password.set")}
        </Button>
      </div>
    </form>
  );
}

function about(user: User): string {
  if (user.has_password) return t("password.about");
  return user.has_passkeys ? t("password.aboutPasskeys") : t("password.aboutNone");
}
