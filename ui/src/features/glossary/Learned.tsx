import { ActionIcon, Button, Title } from "@mantine/core";
import { useSWRConfig } from "swr";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/glossary";
import { IconTrash } from "../../platform/theme/icons";
import { useLanguages } from "../../domain/languages/languages";
import { toast } from "../../platform/notices/toast";
import {
  removeKnownWord,
  settleSuggestion,
  useKnownWords,
  useSuggestions,
  type Suggestion,
} from "../../domain/glossary/words";
import styles from "./glossary.module.css";

/** Words that people corrected again and again, to add to the glossary or to dismiss. */
export function Suggestions() {
  const { data, mutate } = useSuggestions();
  const { label } = useLanguages();
  const { mutate: mutateOther } = useSWRConfig();
  if (data === undefined || data.length === 0) return null;
  const settle = async (one: Suggestion, accept: boolean) => {
    try {
      await settleSuggestion(one, accept);
      if (accept) await mutateOther(keys.glossary);
    } catch (error) {
      toast("error", (error as Error).message);
    }
    await mutate();
  };
  return (
    <section className="card" aria-label={t("learned.suggestions")} data-testid="suggestions">
      <Title order={2} size="h4">
        {t("learned.suggestions")}
      </Title>
      <p className="quiet">{t("learned.why")}</p>
      <ul className={styles.learned}>
        {data.map((one) => (
          <li key={`${one.wrong} ${one.right} ${one.language}`} className={styles.term}>
            <div className={styles.termWords}>
              <p>{t("learned.pair", { wrong: one.wrong, right: one.right })}</p>
              <p className={styles.termFacts}>
                {label(one.language)} · {t("learned.times", { times: one.times })}
              </p>
            </div>
            <div className={styles.termTools}>
              <Button
                size="compact-sm"
                aria-label={t("learned.accept", { right: one.right })}
                onClick={() => void settle(one, true)}
              >
                {t("learned.add")}
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t("learned.dismissOne", { right: one.right })}
                onClick={() => void settle(one, false)}
              >
                {t("learned.dismiss")}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The words that spelling accepts, with a way to remove each. */
export function AcceptedWords() {
  const { data, mutate } = useKnownWords();
  if (data === undefined || data.length === 0) return null;
  const remove = (id: string) =>
    void removeKnownWord(id)
      .catch((error: Error) => toast("error", error.message))
      .then(() => mutate());
  return (
    <section aria-label={t("learned.words")} className="card">
      <Title order={2} size="h4">
        {t("learned.words")}
      </Title>
      <ul className={styles.learned}>
        {data.map(({ id, word, scope, may_change }) => (
          <li key={id} className={styles.term}>
            <span>
              {word} {scope === "team" && <span className="quiet">({t("learned.ofTeam")})</span>}
            </span>
            {may_change && (
              <ActionIcon aria-label={t("learned.remove", { word })} onClick={() => remove(id)}>
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
