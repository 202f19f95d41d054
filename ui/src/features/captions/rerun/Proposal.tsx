import { Button, Group, Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/editing";
import type { Editing } from "../../editor/editing";
import { Changed } from "../rows/Changed";
import { useClock } from "../../editor/clock";
import { choicesOf, type Choice, type Choices, type ProposedLine, type Rerun } from "./data";
import styles from "./rerun.module.css";

/** More rows than a page renders at once; the buttons above them act on all. */
const SHOWN = 50;

interface Props {
  rerun: Rerun;
  editing: Editing;
  readOnly: boolean;
  onApply: (choices: Record<string, Choice>) => void;
  onDismiss: () => void;
}

/** Each line that would change: as it was first, as it is, as found now. Words a person wrote stay unless chosen otherwise. */
export function Proposal({
  rerun: { lines, engine },
  editing,
  readOnly,
  onApply,
  onDismiss,
}: Props) {
  const [choices, setChoices] = useState<Choices>(() => choicesOf(lines, "safe"));
  const [shown, setShown] = useState(SHOWN);
  if (lines.length === 0) {
    return (
      <div className={styles.rerun}>
        <p role="status">{t("together.rerunSame")}</p>
        <Button onClick={onDismiss} disabled={readOnly}>
          {t("together.rerunAgain")}
        </Button>
      </div>
    );
  }
  const all = (wanted: "safe" | "mine" | "new") => setChoices(choicesOf(lines, wanted));
  return (
    <div className={styles.rerun}>
      <p role="status" data-testid="rerun-count">
        {t("together.rerunFound", { count: lines.length })}
        {engine !== null && ` · ${t("together.rerunBy", { engine })}`}
      </p>
      <Group gap="xs">
        <Button variant="default" size="compact-sm" onClick={() => all("safe")}>
          {t("together.rerunDefault")}
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => all("new")}>
          {t("together.rerunAllNew")}
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => all("mine")}>
          {t("together.rerunAllMine")}
        </Button>
      </Group>
      <ul className={styles.lines}>
        {lines.slice(0, shown).map((line) => (
          <LineChoice
            key={line.id}
            line={line}
            choice={choices[line.id] ?? "mine"}
            onChoose={(choice) => setChoices((held) => ({ ...held, [line.id]: choice }))}
            onGo={() => {
              if (line.mine !== null) editing.goTo(line.id);
              editing.playback.seek(line.start_ms);
            }}
          />
        ))}
      </ul>
      {lines.length > shown && (
        <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + SHOWN)}>
          {t("together.rerunMore", { count: lines.length - shown })}
        </Button>
      )}
      {!readOnly && (
        <Group gap="xs" className={styles.decide}>
          <Button data-testid="apply-rerun" onClick={() => onApply({ ...choices })}>
            {t("together.rerunApply")}
          </Button>
          <Button variant="default" onClick={onDismiss}>
            {t("together.rerunDismiss")}
          </Button>
        </Group>
      )}
    </div>
  );
}

interface LineProps {
  line: ProposedLine;
  choice: Choice;
  onChoose: (choice: Choice) => void;
  onGo: () => void;
}

function LineChoice({ line, choice, onChoose, onGo }: LineProps) {
  const { show: stamp } = useClock();
  const { mine, found, joined, base, start_ms } = line;
  const time = stamp(start_ms);
  return (
    <li className={styles.line} data-testid="proposed-line">
      <button
        type="button"
        className={`${styles.time} tabular`}
        aria-label={t("together.goToLine", { time })}
        onClick={onGo}
      >
        {time}
      </button>
      {base !== null && base !== mine && (
        <p className="quiet" dir="auto">
          {t("together.rerunBase")}: {base}
        </p>
      )}
      <Radio.Group
        aria-label={t("together.rerunChoice", { time })}
        value={choice}
        onChange={(value) => onChoose(value as Choice)}
      >
        <Stack gap={6}>
          <Radio
            value="mine"
            label={
              <>
                <b>{t("together.rerunMine")}</b>{" "}
                <span dir="auto">{mine ?? t("together.rerunNone")}</span>
              </>
            }
          />
          {joined !== null && joined !== mine && (
            <Radio
              value="joined"
              label={
                <>
                  <b>{t("together.rerunJoined")}</b>
                  <Changed old={mine ?? ""} now={joined} language={undefined} />
                </>
              }
            />
          )}
          <Radio
            value="new"
            label={
              <>
                <b>{t("together.rerunNew")}</b>{" "}
                {found === null ? (
                  t("together.rerunNothing")
                ) : (
                  <Changed old={mine ?? ""} now={found} language={undefined} />
                )}
              </>
            }
          />
        </Stack>
      </Radio.Group>
    </li>
  );
}
