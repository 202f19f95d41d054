import { Button, Group, Switch, Text, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState, type FormEvent } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/teams";
import { LanguageSelect } from "../../domain/languages/LanguageSelect";
import { useTeamActions, type TeamDetail } from "./data";
import { Question } from "../../platform/page/Question";
import styles from "./teams.module.css";

/** The team's name and language, who pays for it, and its end. */
export function TeamSettings({ team }: { team: TeamDetail }) {
  const actions = useTeamActions();
  const [deleting, remove] = useDisclosure();
  const [leaving, leave] = useDisclosure();
  const owns = team.role === "owner";
  // Where people need no plan, nobody pays.
  const isPaid = usePublicConfig()?.billing != null;
  const payer = team.people.find((member) => member.is_payer);
  return (
    <>
      {owns && <SettingsForm team={team} />}
      {isPaid && (
        <section aria-labelledby="payment" className={`card ${styles.block}`}>
          <Title order={3} id="payment">
            {t("payment")}
          </Title>
          <Text className="quiet">
            {payer === undefined
              ? t("pay.nobody")
              : team.payer
                ? t("pay.you")
                : t("pay.other", { payerName: payer.name })}
          </Text>
          {owns && !team.payer && (
            <Button variant="default" onClick={() => void actions.pay(team.id)}>
              {t("pay.take")}
            </Button>
          )}
        </section>
      )}
      <section aria-labelledby="ending" className={`card ${styles.block}`}>
        <Title order={3} id="ending">
          {t("leave.title")}
        </Title>
        <Text className="quiet">{owns ? t("delete.about") : t("leave.about")}</Text>
        <Group>
          <Button variant="default" onClick={leave.open}>
            {t("leaveTeam")}
          </Button>
          {owns && (
            <Button color="red" variant="light" onClick={remove.open}>
              {t("deleteTeam")}
            </Button>
          )}
        </Group>
      </section>
      <Question
        opened={leaving}
        title={t("leave.question", { teamName: team.name })}
        verb={t("leave")}
        onClose={leave.close}
        onConfirm={() => actions.leave(team.id)}
      >
        {t("member.losesSight")}
      </Question>
      <Question
        opened={deleting}
        title={t("delete.question", { teamName: team.name })}
        verb={t("delete")}
        onClose={remove.close}
        onConfirm={() => actions.remove(team.id)}
      >
        {t("delete.lost")}
      </Question>
    </>
  );
}

function SettingsForm({ team }: { team: TeamDetail }) {
  const { change } = useTeamActions();
  const [name, setName] = useState(team.name);
  const [language, setLanguage] = useState(team.language);
  const [busy, setBusy] = useState(false);
  const [asks, setAsks] = useState(team.requires_factor);
  const isSame =
    name.trim() === team.name && language === team.language && asks === team.requires_factor;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    await change(team.id, { name, language, requires_factor: asks });
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void save(event)} className={`card ${styles.block}`} noValidate>
      <TextInput
        label={t("name")}
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <div className={styles.language}>
        <LanguageSelect
          label={t("language.label")}
          placeholder={t("language.installation")}
          value={language}
          onChange={setLanguage}
        />
        {language !== null && (
          <Button size="xs" variant="subtle" onClick={() => setLanguage(null)}>
            {t("language.none")}
          </Button>
        )}
      </div>
      <Switch
        label={t("factor.label")}
        description={t("factor.about")}
        checked={asks}
        onChange={({ currentTarget }) => setAsks(currentTarget.checked)}
      />
      <Group>
        <Button type="submit" loading={busy} disabled={isSame || name.trim() === ""}>
          {t("save")}
        </Button>
      </Group>
    </form>
  );
}
