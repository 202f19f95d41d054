import { Alert, Button, Stack, Switch, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { Link, useNavigate } from "react-router";
import useSWR from "swr";
import { AUTO, useLanguages } from "../../domain/languages/languages";
import { LanguageSelect } from "../../domain/languages/LanguageSelect";
import LookOnly from "../../domain/teams/LookOnly";
import { useActiveTeam } from "../../domain/teams/activeTeam";
import { useMayAdd } from "../../domain/teams/workspace";
import { keys } from "../../platform/api/keys";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/live";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { IconMicrophone } from "../../platform/theme/icons";
import { openRecordings } from "./data";
import { problemOf } from "./problems";
import { beginRecording } from "./recording";
import { FIRST_CHOICE, SoundChoice } from "./SoundChoice";
import { TranslateTo } from "./TranslateTo";
import styles from "./live.module.css";

const LANGUAGE_KEY = "sagascript.live.language";
const FALLBACK = "en-US";

/** Begin a live recording, or open one that runs. */
export default function LivePage() {
  usePageTitle(t("title"));
  const mayAdd = useMayAdd();
  return (
    <div className={styles.setup}>
      <Title order={1}>{t("title")}</Title>
      <p className="quiet">{t("about")}</p>
      <Running />
      {mayAdd ? <StartForm /> : <LookOnly about="uploads" />}
    </div>
  );
}

function Running() {
  const { data } = useSWR(keys.live, openRecordings);
  if (data === undefined || data.length === 0) return null;
  return (
    <section className={`card ${styles.running}`} aria-label={t("running")}>
      <Title order={2} size="h4">
        {t("running")}
      </Title>
      <ul>
        {data.map(({ slug, name }) => (
          <li key={slug}>
            <span>{name}</span>
            <Button component={Link} to={`/live/${slug}`} variant="light" size="compact-sm">
              {t("open")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function StartForm() {
  const navigate = useNavigate();
  const { team } = useActiveTeam();
  const config = usePublicConfig();
  const { isAvailable } = useLanguages();
  const [chosen, setChosen] = useState(() => localStorage.getItem(LANGUAGE_KEY));
  const language =
    [chosen, team?.language, config?.default_language, FALLBACK].find(
      (code) => code != null && code !== AUTO && isAvailable(code),
    ) ?? FALLBACK;
  const [name, setName] = useState("");
  const [sound, setSound] = useState(FIRST_CHOICE);
  const [detects, setDetects] = useState(false);
  const [translations, setTranslations] = useState<string[]>([]);
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState("");

  const start = async (event: FormEvent) => {
    event.preventDefault();
    setStarting(true);
    setProblem("");
    try {
      const about = { name, language, detects_speakers: detects, translate_to: translations };
      const { slug } = await beginRecording(sound, about);
      void navigate(`/live/${slug}`);
    } catch (error) {
      setProblem(problemOf(error));
      setStarting(false);
    }
  };
  return (
    <form className={`card ${styles.form}`} onSubmit={(event) => void start(event)}>
      <Stack gap="md">
        <TextInput
          label={t("name")}
          placeholder={t("name.placeholder")}
          value={name}
          maxLength={config?.text_limits.file_title}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <LanguageSelect
          label={t("language")}
          value={language}
          onChange={(code) => {
            setChosen(code);
            setTranslations([]);
            localStorage.setItem(LANGUAGE_KEY, code);
          }}
        />
        <SoundChoice value={sound} onChange={setSound} />
        <TranslateTo from={language} value={translations} onChange={setTranslations} />
        <Switch
          label={t("speakers")}
          checked={detects}
          onChange={(event) => setDetects(event.currentTarget.checked)}
        />
        {problem !== "" && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Button
          type="submit"
          loading={isStarting}
          leftSection={<IconMicrophone size={18} />}
          data-testid="start-live"
        >
          {t("start")}
        </Button>
      </Stack>
    </form>
  );
}
