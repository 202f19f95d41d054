import { Button, Group, Text, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState, type FormEvent } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/teams";
import { LanguageSelect } from "../../domain/languages/LanguageSelect";
import { useTeamActions, type TeamDetail } from "./data";
import { Question } from "../../platform/page/Question";
import { IconDownload } from "../../platform/theme/icons";
import { TeamRules } from "./TeamRules";
import { TeamVoices } from "./TeamVoices";
import styles from "./teams.module.css";

/** The team's name and language, its rules, who pays for it, a copy of it, and its end. */
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
      <TeamRules key={JSON.stringify(team.rules)} team={team} />
      <TeamVoices team={team} />
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
      {owns && (
        <section aria-labelledby="copy" className={`card ${styles.block}`}>
          <Title order={3} id="copy">
            {t("copy.title")}
          </Title>
          <Text className="quiet">{t("copy.about")}</Text>
          <Group>
            <Button
              component="a"
              href={`/api/teams/${team.id}/export`}
              download
              variant="default"
              leftSection={<IconDownload size={17} />}
            >
              {t("copy.download")}
            </Button>
          </Group>
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
      <Group>
        <Button type="submit" loading={busy} disabled={isSame || name.trim() === ""}>
          {t("save")}
        </Button>
      </Group>
    </form>
  );
}
