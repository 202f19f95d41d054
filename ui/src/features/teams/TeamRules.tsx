import { Button, Group, NumberInput, Switch, TagsInput, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState, type FormEvent } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/teams";
import { Question } from "../../platform/page/Question";
import { useTeamActions, type TeamDetail } from "./data";
import styles from "./teams.module.css";

type Rules = TeamDetail["rules"];

const orNull = (value: string | number): number | null => (value === "" ? null : Number(value));

/** What the owners ask of members and files: owners change it, the others read it. */
export function TeamRules({ team }: { team: TeamDetail }) {
  return (
    <section aria-labelledby="rules" className={`card ${styles.block}`}>
      <Title order={3} id="rules">
        {t("rules.title")}
      </Title>
      {team.role === "owner" ? <RulesForm team={team} /> : <RulesText rules={team.rules} />}
    </section>
  );
}

function RulesText({ rules }: { rules: Rules }) {
  const said = [
    rules.requires_factor && t("rules.factor"),
    rules.session_hours !== null && t("rules.session", { count: rules.session_hours }),
    rules.email_domains.length > 0 &&
      t("rules.domains", { domains: rules.email_domains.join(", ") }),
    rules.keep_days !== null && t("rules.keep", { count: rules.keep_days }),
  ].filter((each) => each !== false);
  if (said.length === 0) return <Text className="quiet">{t("rules.none")}</Text>;
  return (
    <ul className={styles.rules}>
      {said.map((each) => (
        <li key={each}>{each}</li>
      ))}
    </ul>
  );
}

function RulesForm({ team }: { team: TeamDetail }) {
  const { change } = useTeamActions();
  const limits = usePublicConfig()?.count_limits;
  const [rules, setRules] = useState(team.rules);
  const [busy, setBusy] = useState(false);
  const [asking, ask] = useDisclosure();
  const set = (changed: Partial<Rules>) => setRules((before) => ({ ...before, ...changed }));
  const isSame = JSON.stringify(rules) === JSON.stringify(team.rules);
  const shortens =
    rules.keep_days !== null &&
    (team.rules.keep_days === null || rules.keep_days < team.rules.keep_days);
  const save = async () => {
    setBusy(true);
    const isSaved = await change(team.id, rules);
    setBusy(false);
    return isSaved;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (shortens) ask.open();
    else void save();
  };
  return (
    <form onSubmit={submit} className={styles.rulesForm} noValidate>
      <Switch
        label={t("factor.label")}
        description={t("factor.about")}
        checked={rules.requires_factor}
        onChange={({ currentTarget }) => set({ requires_factor: currentTarget.checked })}
      />
      <NumberInput
        label={t("rules.sessionLabel")}
        description={t("rules.sessionAbout")}
        min={1}
        max={limits?.session_hours}
        allowDecimal={false}
        value={rules.session_hours ?? ""}
        onChange={(value) => set({ session_hours: orNull(value) })}
      />
      <TagsInput
        label={t("rules.domainsLabel")}
        description={t("rules.domainsAbout")}
        maxTags={limits?.team_domains}
        acceptValueOnBlur
        splitChars={[",", " ", ";"]}
        placeholder={rules.email_domains.length === 0 ? t("rules.domainsHint") : ""}
        value={rules.email_domains}
        onChange={(email_domains) => set({ email_domains })}
      />
      <NumberInput
        label={t("rules.keepLabel")}
        description={t("rules.keepAbout")}
        min={1}
        max={limits?.keep_days}
        allowDecimal={false}
        value={rules.keep_days ?? ""}
        onChange={(value) => set({ keep_days: orNull(value) })}
      />
      <Group>
        <Button type="submit" loading={busy} disabled={isSame}>
          {t("rules.save")}
        </Button>
      </Group>
      <Question
        opened={asking}
        title={t("rules.keepQuestion", { count: rules.keep_days ?? 0 })}
        verb={t("rules.save")}
        onClose={ask.close}
        onConfirm={save}
      >
        {t("rules.keepLost")}
      </Question>
    </form>
  );
}
