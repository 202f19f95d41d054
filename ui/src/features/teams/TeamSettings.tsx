import { Button, Group, Text, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState, type FormEvent } from "react";
import { LanguageSelect } from "../languages/LanguageSelect";
import { useTeamActions, type TeamDetail } from "./data";
import { Question } from "./Question";
import styles from "./teams.module.css";

/** The team's name and language, who pays for it, and its end. */
export function TeamSettings({ team }: { team: TeamDetail }) {
  const actions = useTeamActions();
  const [deleting, remove] = useDisclosure();
  const [leaving, leave] = useDisclosure();
  const owns = team.role === "owner";
  const payer = team.people.find((member) => member.is_payer);
  return (
    <>
      {owns && <SettingsForm team={team} />}
      <section aria-labelledby="payment" className={`card ${styles.block}`}>
        <Title order={3} id="payment">
          Payment
        </Title>
        <Text className="quiet">
          {payer === undefined
            ? "Nobody pays for this team."
            : team.payer
              ? "Your plan pays for what this team does. Another owner can take that over."
              : `The plan of ${payer.name} pays for what this team does.`}
        </Text>
        {owns && !team.payer && (
          <Button variant="default" onClick={() => void actions.pay(team.id)}>
            Pay with my plan from now on
          </Button>
        )}
      </section>
      <section aria-labelledby="ending" className={`card ${styles.block}`}>
        <Title order={3} id="ending">
          Leave or delete
        </Title>
        <Text className="quiet">
          {owns
            ? "A deleted team can be restored for 30 days. Then it is gone with all its files."
            : "When you leave, you lose sight of the team's files, also of those you uploaded."}
        </Text>
        <Group>
          <Button variant="default" onClick={leave.open}>
            Leave team
          </Button>
          {owns && (
            <Button color="red" variant="light" onClick={remove.open}>
              Delete team
            </Button>
          )}
        </Group>
      </section>
      <Question
        opened={leaving}
        title={`Leave ${team.name}?`}
        verb="Leave"
        onClose={leave.close}
        onConfirm={() => actions.leave(team.id)}
      >
        You lose sight of the team&apos;s files at once, also of those you uploaded. To come back
        you need a new invitation.
      </Question>
      <Question
        opened={deleting}
        title={`Delete ${team.name}?`}
        verb="Delete"
        onClose={remove.close}
        onConfirm={() => actions.remove(team.id)}
      >
        The team and its files disappear for all its members, and unfinished work stops. You can
        restore it for 30 days.
      </Question>
    </>
  );
}

function SettingsForm({ team }: { team: TeamDetail }) {
  const { change } = useTeamActions();
  const [name, setName] = useState(team.name);
  const [language, setLanguage] = useState(team.language);
  const [busy, setBusy] = useState(false);
  const isSame = name.trim() === team.name && language === team.language;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    await change(team.id, { name, language });
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void save(event)} className={`card ${styles.block}`} noValidate>
      <TextInput
        label="Name"
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <div className={styles.language}>
        <LanguageSelect
          label="Language of uploads"
          placeholder="As the installation has it"
          value={language}
          onChange={setLanguage}
        />
        {language !== null && (
          <Button size="xs" variant="subtle" onClick={() => setLanguage(null)}>
            No own language
          </Button>
        )}
      </div>
      <Group>
        <Button type="submit" loading={busy} disabled={isSame || name.trim() === ""}>
          Save
        </Button>
      </Group>
    </form>
  );
}
