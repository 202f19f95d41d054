import { memo, useLayoutEffect, useMemo, useRef, type KeyboardEvent } from "react";
import type { CaretRequest } from "../focus";
import type { Playback } from "../player/Playback";
import { usePlayback } from "../player/usePlayback";
import { directionOf } from "./direction";
import { stretches, wordAt, type Stretch } from "./marks";
import { useTrackOfRows } from "./trackContext";
import type { Line } from "../types";
import styles from "./lines.module.css";

interface Props {
  line: Line;
  number: number;
  text: string;
  playing: boolean;
  readOnly: boolean;
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
 * (doubtful words, the word being spoken, italics, bold and underlining). There are marks only while the text is the transcribed one.
 */
export function LineText(props: Props) {
  const { line, number, text, playing, readOnly, playback, caret } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const { language } = useTrackOfRows();
  const direction = directionOf(text, language);
  const words = useMemo(() => (text === line.text ? stretches(line) : undefined), [line, text]);

  const { onCaretSet } = props;
  // Before the next key press: text typed after a command belongs to the line that the command shows.
  useLayoutEffect(() => {
    if (caret === undefined || caret.at === "line" || box.current === null) return;
    const at = caret.at === "end" ? box.current.value.length : caret.at;
    box.current.focus({ preventScroll: true });
    box.current.setSelectionRange(at, at);
    onCaretSet();
  }, [caret, onCaretSet]);

  const isStyled = words?.some((one) => one.look.length > 0) ?? false;

  return (
    <div className={styles.lineText} data-styled={isStyled || undefined}>
      <div className={styles.lineMirror} dir={direction} lang={language} aria-hidden="true">
        {words === undefined ? (
          `${text}\u200b`
        ) : playing ? (
          <SpokenWords words={words} line={line} playback={playback} />
        ) : (
          <Words words={words} said={-1} />
        )}
      </div>
      <textarea
        ref={box}
        dir={direction}
        lang={language}
        value={text}
        rows={1}
        readOnly={readOnly}
        spellCheck
        aria-label={`Text of line ${number}`}
        onChange={(event) => props.onText(event.currentTarget.value)}
        onBlur={props.onBlur}
        onKeyDown={props.onKeyDown}
      />
    </div>
  );
}

const Words = memo(function Words({ words, said }: { words: Stretch[]; said: number }) {
  return (
    <>
      {words.map((one, index) =>
        one.doubtful || one.word === said || one.look.length > 0 ? (
          <mark
            key={index}
            className={
              one.word !== undefined && one.word === said
                ? styles.wordSaid
                : one.doubtful
                  ? styles.wordDoubtful
                  : undefined
            }
            data-style={one.look.join(" ") || undefined}
            title={one.doubtful ? "Not sure of this word" : undefined}
          >
            {one.text}
          </mark>
        ) : (
          one.text
        ),
      )}
      {"\u200b"}
    </>
  );
});

function SpokenWords(props: { words: Stretch[]; line: Line; playback: Playback }) {
  const said = usePlayback(props.playback, ({ nowMs }) => wordAt(props.line, nowMs));
  return <Words words={props.words} said={said} />;
}
