import { Alert, Button, PasswordInput, Select, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { Link, useNavigate } from "react-router";
import { useSWRConfig } from "swr";
import { ApiError } from "../../../platform/api/client";
import { keys, staleBy } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/admin";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { IconArrowLeft } from "../../../platform/theme/icons";
import { toast } from "../../../platform/notices/toast";
import { ContractFields, contractOf, NO_CONTRACT } from "./ContractFields";
import { createUser } from "./data";
import styles from "./users.module.css";

const NOBODY = { name: "", email: "", contact: "", ssn: "", password: "", locale: "en" };

/** Makes an account with its prices and limits. */
export default function CreateUserPage() {
  usePageTitle(t("users.create.title"));
  const [person, setPerson] = useState(NOBODY);
  const [contract, setContract] = useState(NO_CONTRACT);
  const [errors, setErrors] = useState<Record<string, string[]>>({});
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setErrors({});
    setProblem(undefined);
    try {
      const locale = person.locale === "is" ? "is" : "en";
      const user = await createUser({ ...person, locale, ...contractOf(contract) });
      void mutate(staleBy(keys.admin));
      toast("success", t("users.create.done", { userName: user.name }));
      await navigate(`/admin/users/${user.id}`);
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.fields);
      setProblem((error as Error).message);
      setBusy(false);
    }
  };
  const field = (name: keyof typeof NOBODY) => ({
    name,
    value: person[name],
    error: errors[name]?.[0],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setPerson({ ...person, [name]: currentTarget.value }),
  });
  return (
    <form className={styles.page} onSubmit={(event) => void save(event)} autoComplete="off">
      <Link to="/admin/users" className={styles.back}>
        <IconArrowLeft size={16} aria-hidden="true" /> {t("users.users")}
      </Link>
      <Title order={1}>{t("users.createUser")}</Title>
      {problem !== undefined && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <section className={`card ${styles.section}`} aria-labelledby="person">
        <Title order={2} id="person">
          {t("users.person")}
        </Title>
        <div className={styles.fields}>
          <TextInput label={t("users.name")} required maxLength={200} {...field("name")} />
          <TextInput
            label={t("users.eMail")}
            type="email"
            required
            maxLength={254}
            {...field("email")}
          />
          <TextInput
            label={t("users.contact")}
            description={t("users.contact.hint")}
            maxLength={200}
            {...field("contact")}
          />
          <TextInput
            label={t("users.personalNumber")}
            description={t("users.personalNumber.hint")}
            maxLength={40}
            {...field("ssn")}
          />
          <PasswordInput
            label={t("users.password")}
            description={t("users.password.hint")}
            autoComplete="new-password"
            maxLength={200}
            {...field("password")}
          />
          <Select
            label={t("users.locale.label")}
            description={t("users.locale.hint")}
            allowDeselect={false}
            data={[
              { value: "en", label: t("users.english") },
              { value: "is", label: t("users.icelandic") },
            ]}
            value={person.locale}
            onChange={(locale) => setPerson({ ...person, locale: locale ?? "en" })}
          />
        </div>
      </section>
      <section className={`card ${styles.section}`} aria-labelledby="contract">
        <Title order={2} id="contract">
          {t("users.contract")}
        </Title>
        <ContractFields
          draft={contract}
          errors={errors}
          onChange={(fields) => setContract({ ...contract, ...fields })}
        />
      </section>
      <div className={styles.buttons}>
        <Button variant="default" component={Link} to="/admin/users">
          {t("users.cancel")}
        </Button>
        <Button type="submit" loading={busy}>
          {t("users.createUser")}
        </Button>
      </div>
    </form>
  );
}
