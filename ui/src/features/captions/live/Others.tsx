import { Tooltip } from "@mantine/core";
import { t } from "../../../platform/messages/editing";
import { useView } from "../../editor/useView";
import type { Editing } from "../../editor/editing";
import { colourOf, initialsOf, type People, type Person } from "./People";
import { useOthers } from "./usePeople";
import styles from "./live.module.css";

const SHOWN = 4;

/** Who else has the captions open. A click goes to where they are. Nothing while nobody else is here. */
export function Others({ people, editing }: { people: People | null; editing: Editing }) {
  const others = useOthers(people);
  const lines = useView(editing.store, (view) => view.captions.lines);
  if (others.length === 0) return null;
  const first = [...new Map(others.map((one) => [one.user, one])).values()];
  return (
    <ul
      className={styles.others}
      data-testid="others"
      aria-label={t("together.people", { count: first.length })}
    >
      {first.slice(0, SHOWN).map((person) => {
        const at = lines.findIndex(({ id }) => id === person.line);
        const { name } = person;
        const label =
          at < 0
            ? t("together.alsoHere", { name })
            : t("together.alsoHereAt", { name, line: at + 1 });
        return (
          <li key={person.page}>
            <Tooltip label={label}>
              <button
                type="button"
                className={styles.avatar}
                data-colour={colourOf(person)}
                aria-label={label}
                onClick={() => person.line !== null && at >= 0 && editing.goTo(person.line)}
              >
                {initialsOf(name)}
              </button>
            </Tooltip>
          </li>
        );
      })}
      {first.length > SHOWN && <li className="quiet">+{first.length - SHOWN}</li>}
    </ul>
  );
}

interface MarkProps {
  others: readonly Person[];
  /** Somebody else writes in this line, so that the text box waits. */
  isHeld: boolean;
  onTakeOver: () => void;
}

/** Who else is on a line, and who is writing there. */
export function OthersMark({ others, isHeld, onTakeOver }: MarkProps) {
  const first = others.find(({ isTyping }) => isTyping) ?? others[0];
  if (first === undefined) return null;
  const { name, isTyping } = first;
  return (
    <p className={styles.mark} data-colour={colourOf(first)} data-testid="others-mark">
      <i aria-hidden="true" />
      {isTyping ? t("together.typingHere", { name }) : t("together.onThisLine", { name })}
      {isHeld && (
        <button type="button" data-testid="take-over" onClick={onTakeOver}>
          {t("together.takeOver")}
        </button>
      )}
    </p>
  );
}
