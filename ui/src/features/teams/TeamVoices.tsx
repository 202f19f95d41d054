import { Alert, Button, Switch, Text, Title } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/teams";
import { Question } from "../../platform/page/Question";
import { day } from "../../domain/files/format";
import { useTeamActions, useVoices, type TeamDetail } from "./data";
import styles from "./teams.module.css";

/** Whether the team knows voices across its files, and which: owners switch, editors forget. */
export function TeamVoices({ team }: { team: TeamDetail }) {
  const { data, error } = useVoices(team.id);
  const { switchVoices, forgetVoice } = useTeamActions();
  const [asking, setAsking] = useState<string>();
  const [ending, setEnding] = useState(false);
  const [busy, setBusy] = useState(false);
  const choose = async (isOn: boolean) => {
    setBusy(true);
    await switchVoices(team.id, isOn);
    setBusy(false);
  };
  return (
    <section aria-labelledby="voices" className={`card ${styles.block}`}>
      <Title order={3} id="voices">
        {t("voices.title")}
      </Title>
      {error !== undefined && <Alert color="red">{error.message}</Alert>}
      <Switch
        label={t("voices.switch")}
        description={t("voices.about")}
        checked={data?.is_on ?? false}
        disabled={data?.may_switch !== true || busy}
        onChange={({ currentTarget }) => {
          if (currentTarget.checked || data?.voices.length === 0)
            void choose(currentTarget.checked);
          else setEnding(true);
        }}
      />
      {data?.is_on === true &&
        (data.voices.length === 0 ? (
          <Text className="quiet">{t("voices.none")}</Text>
        ) : (
          <ul className={styles.voices} aria-label={t("voices.list")}>
            {data.voices.map(({ name, files, learned_at }) => (
              <li key={name}>
                <span>
                  <strong>{name}</strong>
                  <Text size="sm" className="quiet">
                    {t("voices.files", { count: files, date: day(learned_at) })}
                  </Text>
                </span>
                {data.may_forget && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t("voices.forgetOne", { name })}
                    onClick={() => setAsking(name)}
                  >
                    {t("voices.forget")}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        ))}
      <Question
        opened={asking !== undefined}
        title={t("voices.forgetQuestion", { name: asking ?? "" })}
        verb={t("voices.forget")}
        onClose={() => setAsking(undefined)}
        onConfirm={() => forgetVoice(team.id, asking ?? "")}
      >
        {t("voices.forgetLost")}
      </Question>
      <Question
        opened={ending}
        title={t("voices.endQuestion")}
        verb={t("voices.end")}
        onClose={() => setEnding(false)}
        onConfirm={() => choose(false)}
      >
        {t("voices.forgetLost")}
      </Question>
    </section>
  );
}
