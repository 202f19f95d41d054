import { ActionIcon, Button, Checkbox, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/quality";
import { IconPlayerPlayFilled } from "../../../platform/theme/icons";
import { addTerm } from "../../../domain/glossary/data";
import { toast } from "../../../platform/notices/toast";
import { useMayAdd } from "../../../domain/teams/workspace";
import type { Editing } from "../../editor/editing";
import { useTrackOfRows } from "../lines/trackContext";
import { spellingOf } from "../spelling/Spelling";
import { fixForms, fixSpot, wordCounts } from "./correct";
import { formsOf } from "./forms";
import { Repair } from "./Repair";
import type { Spot, SpotGroup } from "./spots";
import styles from "./review.module.css";

interface Props {
  slug: string;
  group: SpotGroup;
  /** The number of the spot that is shown, from 0. */
  at: number;
  editing: Editing;
  readOnly: boolean;
  onShow: (at: number) => void;
  onKeep: (spots: readonly Spot[]) => void;
  onFixed: (spots: readonly Spot[]) => void;
}

/** One word or line in question, and what can be decided about it. */
export function GroupCard({ slug, group, at, editing, readOnly, onShow, onKeep, onFixed }: Props) {
  const spot = group.spots[at];
  const { translation } = useTrackOfRows();
  const isWord = group.kind !== "finding" && group.kind !== "stale";
  if (spot === undefined) return null;
  const play = () => {
    editing.select(spot.line);
    editing.play(spot.line);
  };
  return (
    <section className={styles.card} data-testid="review-card" data-kind={group.kind}>
      <p className={styles.kind}>
        <span>{t(`review.${group.kind}`)}</span>
        {group.spots.length > 1 && (
          <span className="quiet">
            {t("review.place", { at: at + 1, count: group.spots.length })}
          </span>
        )}
      </p>
      <p className={styles.word}>
        <b>{group.word}</b>
        <ActionIcon aria-label={t("review.play")} onClick={play}>
          <IconPlayerPlayFilled size={15} />
        </ActionIcon>
      </p>
      {spot.finding !== null && (
        <Repair
          slug={slug}
          finding={spot.finding}
          count={group.spots.length}
          editing={editing}
          readOnly={readOnly}
          onFixed={(all) => onFixed(all ? group.spots : [spot])}
        />
      )}
      <div className={styles.buttons}>
        <Button size="compact-sm" variant="default" onClick={() => onShow(at)}>
          {t("review.go")}
        </Button>
        {group.kind === "stale" && translation !== undefined ? (
          <Button
            size="compact-sm"
            disabled={readOnly}
            onClick={() => {
              translation.confirm(spot.line);
              onFixed([spot]);
            }}
          >
            {t("review.confirm")}
          </Button>
        ) : (
          <Button
            size="compact-sm"
            variant={spot.finding?.fix == null ? "filled" : "default"}
            disabled={readOnly}
            onClick={() => onKeep([spot])}
          >
            {t("review.keep")}
          </Button>
        )}
        {group.spots.length > 1 && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={readOnly}
            onClick={() => onKeep(group.spots)}
          >
            {t("review.keepAll", { count: group.spots.length })}
          </Button>
        )}
      </div>
      {isWord && (
        <Correction
          group={group}
          spot={spot}
          editing={editing}
          readOnly={readOnly}
          onFixed={onFixed}
        />
      )}
    </section>
  );
}

type CorrectionProps = Pick<Props, "group" | "editing" | "readOnly" | "onFixed"> & { spot: Spot };

/** What the word should be: here, everywhere, in other forms too, and in the glossary. */
function Correction({ group, spot, editing, readOnly, onFixed }: CorrectionProps) {
  const { language } = useTrackOfRows();
  const mayAdd = useMayAdd();
  const { mutate } = useSWRConfig();
  const [right, setRight] = useState(group.instead ?? spot.word);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [ideas, setIdeas] = useState<string[]>([]);
  const spelling = spellingOf(editing);
  useEffect(() => {
    let isShown = true;
    void spelling.suggest(spot.word).then((words) => isShown && setIdeas(words.slice(0, 4)));
    return () => {
      isShown = false;
    };
  }, [spelling, spot.word]);
  const isChanged = right.trim() !== "" && right !== spot.word;
  const forms = isChanged
    ? formsOf(spot.word, right, wordCounts(editing.store.get().captions.lines))
    : [];
  const others = forms.slice(1);
  const everywhere = () => {
    const count = fixForms(
      editing,
      forms.filter(({ from }) => !left.has(from)),
    );
    if (count === 0) return;
    toast("success", t("review.fixed", { count }));
    onFixed(group.spots);
  };
  const learn = async () => {
    const code = language ?? null;
    const term = { source: right, target: right, from: code, to: null, note: "", case: true };
    // In a team in which somebody only looks, the term is theirs alone.
    await addTerm(term, mayAdd ? null : "user");
    toast("success", t("review.inGlossary", { word: right }));
    await mutate(keys.glossary);
  };
  return (
    <form
      className={styles.correction}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isChanged || readOnly) return;
        fixSpot(editing, spot, right);
        onFixed([spot]);
      }}
    >
      {group.instead !== null && (
        <p className="quiet">{t("review.usually", { word: group.instead })}</p>
      )}
      <TextInput
        label={t("review.fixTo")}
        value={right}
        maxLength={100}
        disabled={readOnly}
        data-testid="review-fix"
        onChange={(event) => setRight(event.currentTarget.value)}
      />
      {ideas.length > 0 && (
        <div className={styles.buttons}>
          {ideas.map((idea) => (
            <Button key={idea} size="compact-xs" variant="light" onClick={() => setRight(idea)}>
              {idea}
            </Button>
          ))}
        </div>
      )}
      {others.length > 0 && (
        <fieldset className={styles.forms}>
          <legend>{t("review.forms")}</legend>
          {others.map(({ from, to, count }) => (
            <Checkbox
              key={from}
              label={`${from} → ${to} (${count})`}
              checked={!left.has(from)}
              onChange={(event) => {
                const next = new Set(left);
                if (event.currentTarget.checked) next.delete(from);
                else next.add(from);
                setLeft(next);
              }}
            />
          ))}
        </fieldset>
      )}
      <div className={styles.buttons}>
        <Button type="submit" size="compact-sm" disabled={readOnly || !isChanged}>
          {t("review.fix")}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={readOnly || !isChanged}
          onClick={everywhere}
        >
          {t("review.fixAll")}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void learn().catch((error: Error) => toast("error", error.message))}
        >
          {t("review.glossary")}
        </Button>
      </div>
    </form>
  );
}
