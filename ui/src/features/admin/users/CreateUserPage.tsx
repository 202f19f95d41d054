import { Alert, Button, PasswordInput, Select, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { Link, useNavigate } from "react-router";
import { useSWRConfig } from "swr";
import { ApiError } from "../../../api/client";
import { keys, staleBy } from "../../../api/keys";
import { usePageTitle } from "../../../layouts/usePageTitle";
import { IconArrowLeft } from "../../../theme/icons";
import { toast } from "../../notifications/toast";
import { ContractFields, contractOf, NO_CONTRACT } from "./ContractFields";
import { createUser } from "./data";
import styles from "./users.module.css";

const NOBODY = { name: "", email: "", contact: "", ssn: "", password: "", locale: "en" };

/** Makes an account with its prices and limits. */
export default function CreateUserPage() {
  usePageTitle("Admin - Create user");
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
      toast("success", `${user.name} has an account now.`);
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
        <IconArrowLeft size={16} aria-hidden="true" /> Users
      </Link>
      <Title order={1}>Create user</Title>
      {problem !== undefined && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <section className={`card ${styles.section}`} aria-labelledby="person">
        <Title order={2} id="person">
          Person
        </Title>
        <div className={styles.fields}>
          <TextInput label="Name" required maxLength={200} {...field("name")} />
          <TextInput label="E-mail" type="email" required maxLength={254} {...field("email")} />
          <TextInput
            label="Contact"
            description="Whom to talk to, if somebody else"
            maxLength={200}
            {...field("contact")}
          />
          <TextInput
            label="Personal number"
            description="Encrypted; shown only by its last digits"
            maxLength={40}
            {...field("ssn")}
          />
          <PasswordInput
            label="Password"
            description="Empty: we mail a link to choose one"
            autoComplete="new-password"
            maxLength={200}
            {...field("password")}
          />
          <Select
            label="Language of mails"
            description="The person can change it"
            allowDeselect={false}
            data={[
              { value: "en", label: "English" },
              { value: "is", label: "Icelandic" },
            ]}
            value={person.locale}
            onChange={(locale) => setPerson({ ...person, locale: locale ?? "en" })}
          />
        </div>
      </section>
      <section className={`card ${styles.section}`} aria-labelledby="contract">
        <Title order={2} id="contract">
          Contract
        </Title>
        <ContractFields
          draft={contract}
          errors={errors}
          onChange={(fields) => setContract({ ...contract, ...fields })}
        />
      </section>
      <div className={styles.buttons}>
        <Button variant="default" component={Link} to="/admin/users">
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          Create user
        </Button>
      </div>
    </form>
  );
}
