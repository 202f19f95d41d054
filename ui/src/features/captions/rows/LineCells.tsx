import { memo, useState, type KeyboardEvent } from "react";
import { t as e } from "../../../platform/messages/editor";
import { t as p } from "../../../platform/messages/processing";
import { IconArrowUp, IconBadgeCc, IconDots, IconLock } from "../../../platform/theme/icons";
import { t } from "../../../platform/messages/editing";
import { formatLocale } from "../../../platform/i18n/locale";
import { SpeakerChip } from "../../speakers/SpeakerChip";
import type { Editing } from "../../editor/editing";
import type { PLACES } from "../../editor/look";
import type { CaretRequest } from "../../editor/focus";
import { LineMark } from "../quality/LineMark";
import type { Circumstances, Texts } from "../../../domain/captions/quality/types";
import { laneOf } from "../../../domain/captions/lanes";
import type { Line } from "../../../domain/captions/types";
import { textOf } from "../../../domain/captions/store/state";
import { useTyped } from "../../editor/useView";
import { OthersMark } from "../live/Others";
import { useOthersOn } from "../live/usePeople";
import { NoteMark } from "../notes/NoteMark";
import { TermMarks } from "../terms/TermMarks";
import type { Checks } from "./checks";
import { GapAfter } from "./GapAfter";
import { LineMenu } from "../lines/LineMenu";
import { LineText } from "./LineText";
import { SourceCell } from "./SourceCell";
import { TimeBox } from "./TimeBox";
import { TranslationMarks } from "./TranslationMarks";
import styles from "../lines/lines.module.css";

const LENGTH = new Intl.NumberFormat(formatLocale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

export interface CellsProps {
  line: Line;
  number: number;
  playing: boolean;
  menuOpen: boolean;
  readOnly: boolean;
  caret: CaretRequest | undefined;
  /** The id and the start of the line after this one. Its text changes nothing here. */
  nextId: string | undefined;
  nextStart: number | undefined;
  /** What the rules of quality need to know; undefined until the profile has loaded. */
  about: Circumstances | undefined;
  /** What findings say; undefined until it has loaded. */
  texts: Texts | undefined;
  checks: Checks;
  /** Where the match that the search is at starts in this line; -1 if it is elsewhere. */
  foundAt: number;
  editing: Editing;
  /** In the view of two tracks: the source lines to show beside this one. */
  sources?: readonly Line[] | undefined;
  continues?: boolean;
}

/**
 * What a row shows. It rerenders only when the line itself changes, so typing costs one row however long the list is,
 * and lines that arrive or another selection cost none.
 */
export const LineCells = memo(function LineCells(props: CellsProps) {
  const { line, number, playing, menuOpen, readOnly, caret, about, texts } = props;
  const { nextId, nextStart, checks, foundAt, editing, sources, continues = false } = props;
  const typed = useTyped(editing.store, line.id);
  const others = useOthersOn(line.id);
  const isOthers = others.some(({ isTyping }) => isTyping);
  const [takenOver, setTakenOver] = useState(false);
  if (takenOver && !isOthers) setTakenOver(false);
  // What was typed here before they came is joined with what they type.
  const isHeld = isOthers && !takenOver && typed === undefined && !readOnly;
  const text = textOf(line, typed);
  const retime = (change: { start_ms?: number; end_ms?: number }) => {
    editing.store.retime(line.id, change);
  };

  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      // Typed text stays; undo takes it back.
      editing.goTo(line.id);
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const alone = selectionStart === selectionEnd;
    const up = event.key === "ArrowUp" && !value.slice(0, selectionStart).includes("\n");
    const down = event.key === "ArrowDown" && !value.slice(selectionEnd).includes("\n");
    if (alone && (up || down) && editing.step(up ? -1 : 1, "typing")) event.preventDefault();
  };

  return (
    <>
      <button
        type="button"
        className={`${styles.lineNumber} tabular`}
        aria-label={e("goToLine", { number })}
        onClick={(event) => {
          if (event.shiftKey || event.ctrlKey || event.metaKey) return;
          editing.goTo(line.id);
          editing.playback.seek(line.start_ms);
        }}
      >
        {number}
        {line.locked && (
          <IconLock
            size={13}
            role="img"
            aria-label={t("timing.locked")}
            data-testid="line-locked"
          />
        )}
        {line.forced && (
          <IconBadgeCc
            size={13}
            role="img"
            aria-label={t("timing.forced")}
            data-testid="line-forced"
          />
        )}
        {line.place != null && laneOf(line.place) !== "bottom" && (
          <IconArrowUp
            size={13}
            role="img"
            aria-label={p(`transfer.place${line.place.align as (typeof PLACES)[number]}`)}
            data-testid="line-above"
          />
        )}
      </button>
      <div className={styles.lineTimes}>
        <TimeBox
          label={e("startOf", { number })}
          ms={line.start_ms}
          readOnly={readOnly || line.locked}
          onSave={(start_ms) => retime({ start_ms })}
        />
        <TimeBox
          label={e("endOf", { number })}
          ms={line.end_ms}
          readOnly={readOnly || line.locked}
          onSave={(end_ms) => retime({ end_ms })}
        />
        <span className={`${styles.lineLength} tabular`}>
          {e("seconds", { seconds: LENGTH.format((line.end_ms - line.start_ms) / 1000) })}{" "}
          <GapAfter endMs={line.end_ms} nextStart={nextStart} leastMs={about?.gapMs} />
        </span>
      </div>
      {sources !== undefined && (
        <SourceCell number={number} sources={sources} continues={continues} source={line.source} />
      )}
      <div className={styles.lineMain}>
        <SpeakerChip
          line={line.id}
          number={number}
          speaker={line.speaker}
          readOnly={readOnly || line.source != null}
        />
        <LineText
          line={line}
          number={number}
          text={text}
          playing={playing}
          readOnly={readOnly || isHeld || line.locked}
          checks={checks}
          foundAt={foundAt}
          caret={caret}
          playback={editing.playback}
          onText={(written) => editing.store.write(line.id, written)}
          onBlur={() => editing.store.leave(line.id)}
          onCaretSet={editing.caretSet}
          onKeyDown={keys}
        />
        {typed?.problem !== undefined && text === typed.raw && (
          <p className={styles.lineProblem} role="alert">
            {typed.problem}
          </p>
        )}
        <OthersMark
          others={others}
          isHeld={isHeld}
          onTakeOver={() => {
            setTakenOver(true);
            editing.goInto(line.id);
          }}
        />
        <NoteMark line={line.id} />
        {line.source != null && (
          <TermMarks
            id={line.id}
            number={number}
            text={text}
            source={line.source.now}
            readOnly={readOnly || isHeld || line.locked}
            editing={editing}
          />
        )}
        {line.source != null && (
          <TranslationMarks
            id={line.id}
            number={number}
            source={line.source}
            readOnly={readOnly}
            isBeside={sources !== undefined && sources.length > 0}
          />
        )}
      </div>
      {about !== undefined && (
        <div className={`${styles.lineQuality} tabular`} data-testid="line-quality">
          <LineMark {...{ line, text, nextId, nextStart, about, texts, editing }} />
        </div>
      )}
      {!readOnly &&
        (menuOpen ? (
          <LineMenu line={line} number={number} editing={editing} />
        ) : (
          <button
            type="button"
            className={styles.lineMore}
            aria-label={e("actionsFor", { number })}
            aria-haspopup="menu"
            onClick={() => editing.openMenu(line.id)}
          >
            <IconDots size={17} />
          </button>
        ))}
    </>
  );
});
