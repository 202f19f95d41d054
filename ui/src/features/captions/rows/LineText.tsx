import { memo, useLayoutEffect, useMemo, useRef, type KeyboardEvent } from "react";
import { t } from "../../../platform/messages/editor";
import type { CaretRequest } from "../../editor/focus";
import type { Playback } from "../../editor/playback/Playback";
import { usePlayback } from "../../editor/playback/usePlayback";
import { caretAfter } from "../../../domain/captions/model/merge";
import { useWrong } from "../spelling/useWrong";
import { directionOf } from "./direction";
import {
  overlaid,
  rangesOf,
  spokenAt,
  stretches,
  wordAt,
  type Range,
  type Stretch,
} from "../../../domain/captions/marks";
import { Rows } from "./Rows";
import { useTrackOfRows } from "../lines/trackContext";
import type { Line } from "../../../domain/captions/types";
import type { Checks } from "./checks";
import styles from "../lines/lines.module.css";

interface Props {
  line: Line;
  number: number;
  text: string;
  playing: boolean;
  readOnly: boolean;
  checks: Checks;
  /** Where the match that the search is at starts in this line; -1 if it is elsewhere. */
  foundAt: number;
  playback: Playback;
  /** Where to put the caret, when this line should take the focus. */
  caret: CaretRequest | undefined;
  onText: (text: string) => void;
  onBlur: () => void;
  onCaretSet: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

/**
 * The text of a line: a text box, and behind it a copy of the text that gives the box its height and carries the marks
 * (doubtful words, the word being spoken, matches of the search, italics, bold and underlining). Words
 * are known only while the text is the transcribed one.
 */
export function LineText(props: Props) {
  const { line, number, text, playing, readOnly, caret, checks, foundAt, playback } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const { language } = useTrackOfRows();
  const direction = directionOf(text, language);
  const words = useMemo(() => (text === line.text ? stretches(line) : undefined), [line, text]);

  const layers = useLayers(text, checks, foundAt);

  // Somebody else's change of the text must not move the caret from its letters to the end.
  const seen = useRef({ text, start: 0, end: 0 });
  const look = (at: HTMLTextAreaElement) => {
    seen.current = { text: at.value, start: at.selectionStart, end: at.selectionEnd };
  };
  const { onCaretSet } = props;
  // Before the next key press: text typed after a command belongs to the line that the command shows.
  useLayoutEffect(() => {
    if (caret === undefined || caret.at === "line" || box.current === null) return;
    const at = caret.at === "end" ? box.current.value.length : caret.at;
    box.current.focus({ preventScroll: true });
    box.current.setSelectionRange(at, at);
    // The next effect leaves a caret alone that was put where it belongs in the new text.
    look(box.current);
    onCaretSet();
  }, [caret, onCaretSet]);

  useLayoutEffect(() => {
    const { text: old, start, end } = seen.current;
    const at = box.current;
    if (at === null || old === text) return;
    if (document.activeElement === at) {
      at.setSelectionRange(caretAfter(old, text, start), caretAfter(old, text, end));
    }
    seen.current = { text, start: at.selectionStart, end: at.selectionEnd };
  }, [text]);

  // A click puts the caret somewhere: the picture goes to the word there. What is dragged over is only marked.
  const goToWord = ({ selectionStart: at, selectionEnd }: HTMLTextAreaElement) => {
    if (at !== selectionEnd) return;
    const isShown = line.start_ms <= playback.nowMs && playback.nowMs < line.end_ms;
    // While somebody types, the words are not known: the picture stays if it shows this line.
    const spoken = words && spokenAt(line, words, at);
    if (spoken !== undefined || !isShown) playback.goTo(spoken ?? line.start_ms);
  };

  const isStyled = words?.some((one) => one.look.length > 0) ?? false;

  return (
    <div className={styles.lineText} data-styled={isStyled || undefined}>
      <div className={styles.lineMirror} dir={direction} lang={language} aria-hidden="true">
        {playing ? (
          <SpokenText text={text} words={words} layers={layers} line={line} playback={playback} />
        ) : (
          <Marked text={text} words={words} layers={layers} said={-1} />
        )}
      </div>
      <textarea
        ref={box}
        dir={direction}
        lang={language}
        value={text}
        rows={1}
        readOnly={readOnly}
        spellCheck={!checks.hasOwnSpelling}
        aria-label={t("textOf", { number })}
        onSelect={(event) => look(event.currentTarget)}
        onChange={(event) => {
          look(event.currentTarget);
          props.onText(event.currentTarget.value);
        }}
        onClick={(event) => goToWord(event.currentTarget)}
        onBlur={props.onBlur}
        onKeyDown={props.onKeyDown}
      />
    </div>
  );
}

/** Ranges of the text by what marks them. */
type Layers = Readonly<Record<"found" | "current" | "wrong" | "term", readonly Range[]>>;

const NONE: readonly Range[] = [];

/** The matches of the search, the unknown words and the terms of the glossary in this line. */
function useLayers(text: string, checks: Checks, foundAt: number): Layers {
  const { matcher } = checks;
  const { terms, translation } = useTrackOfRows();
  const found = useMemo(() => (matcher === null ? NONE : matcher(text)), [matcher, text]);
  const wrong = useWrong(checks.spelling, text);
  const term = useMemo(
    () => (translation === undefined ? (terms?.placesIn(text) ?? NONE) : NONE),
    [terms, translation, text],
  );
  return useMemo(
    () => ({ found, current: found.filter(({ start }) => start === foundAt), wrong, term }),
    [found, foundAt, wrong, term],
  );
}

interface MarkedProps {
  text: string;
  words: Stretch[] | undefined;
  layers: Layers;
  /** The number of the word being spoken; -1 for none. */
  said: number;
}

const Marked = memo(function Marked({ text, words, layers, said }: MarkedProps) {
  const parts = overlaid(text, {
    ...layers,
    said: said < 0 ? NONE : rangesOf(words ?? [], (one) => one.word === said),
    doubtful: rangesOf(words ?? [], (one) => one.doubtful),
    italic: rangesOf(words ?? [], (one) => one.look.includes("italic")),
    bold: rangesOf(words ?? [], (one) => one.look.includes("bold")),
    underline: rangesOf(words ?? [], (one) => one.look.includes("underline")),
  });
  return (
    <>
      {parts.map((part) =>
        part.layers.size === 0 ? (
          <Rows key={part.start} text={part.text} />
        ) : (
          <mark
            key={part.start}
            className={[...part.layers].map((layer) => MARKS[layer]).join(" ")}
            title={part.layers.has("doubtful") ? t("doubtful") : undefined}
          >
            <Rows text={part.text} />
          </mark>
        ),
      )}
      {"\u200b"}
    </>
  );
});

const MARKS: Record<string, string | undefined> = {
  found: styles.wordFound,
  current: styles.wordCurrent,
  wrong: styles.wordWrong,
  term: styles.wordTerm,
  said: styles.wordSaid,
  doubtful: styles.wordDoubtful,
  italic: styles.wordItalic,
  bold: styles.wordBold,
  underline: styles.wordUnderline,
};

function SpokenText(props: Omit<MarkedProps, "said"> & { line: Line; playback: Playback }) {
  const { line, playback, ...marked } = props;
  const said = usePlayback(playback, ({ nowMs }) => wordAt(line, nowMs));
  return <Marked {...marked} said={said} />;
}
