import { Button, Loader, Modal, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useId, useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/library";
import { t as shell } from "../../platform/messages/shell";
import { IconCommand, IconMovie, IconSearch, IconWaveSine } from "../../platform/theme/icons";
import { clock } from "../../domain/files/format";
import { languageName } from "../../domain/languages/languages";
import Owner from "../teams/Owner";
import { usePageCommands } from "../../platform/page/pageCommands";
import { choicesOf, commandsFor, indexAfter, type Choice } from "./choices";
import { isSearchable, SEARCH_MIN, useSearch } from "./data";
import { Marked } from "./Marked";
import styles from "./dialog.module.css";

const TYPING_PAUSE_MS = 200;

/**
 * Search names and captions from any page, and what the page can do: type, choose with the arrow keys, open with Enter.
 */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const listId = useId();
  const keywordMax = usePublicConfig()?.text_limits.keyword;
  const [text, setText] = useState("");
  const [keyword] = useDebouncedValue(text.trim(), TYPING_PAUSE_MS);
  const isAsked = isSearchable(text) && isSearchable(keyword);
  const { data, error, isLoading, mutate } = useSearch(keyword, 1);
  const commands = usePageCommands();
  const isResult = isAsked && data !== undefined && keyword === text.trim();
  const fitting = commandsFor(commands, text);
  const offered = { any: commands.length > 0, fitting: fitting.length };
  const choices = [
    ...fitting,
    ...(isAsked && data !== undefined ? choicesOf(data.data, data.meta.total, keyword) : []),
  ];
  const label = t(commands.length > 0 ? "search.commandLabel" : "search.label");
  // A command is about what had the focus.
  const [opener] = useState(() => document.activeElement);
  const [index, setIndex] = useState(0);
  const [shown, setShown] = useState(text);
  if (shown !== text) {
    setShown(text);
    setIndex(0);
  }
  const chosen = Math.min(index, choices.length - 1);
  const idOf = (position: number) => `${listId}-${position}`;

  useEffect(() => {
    document.getElementById(`${listId}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [listId, chosen]);

  const open = (choice: Choice) => {
    onClose();
    if (choice.kind !== "command") {
      void navigate(choice.path);
      return;
    }
    // Once the dialog has left the page: while it is there, it keeps the focus.
    setTimeout(() => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
      choice.command.run();
    });
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const next = indexAfter(event.key, chosen, choices.length);
    const at = choices[chosen];
    // Results of the words before are still shown while those of the new words load.
    const isOld = at?.kind !== "command" && (isLoading || !isResult);
    const choice = isOld ? undefined : at;
    if (next !== undefined) setIndex(next);
    else if (event.key === "Enter" && choice !== undefined) open(choice);
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={shell("search")}
      size={680}
      yOffset="10dvh"
      classNames={{ body: styles.body }}
    >
      <TextInput
        type="search"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={choices.length > 0}
        aria-controls={choices.length > 0 ? listId : undefined}
        aria-activedescendant={choices.length > 0 ? idOf(chosen) : undefined}
        placeholder={label}
        leftSection={<IconSearch size={16} />}
        rightSection={
          isAsked && data === undefined && error === undefined ? <Loader size={16} /> : null
        }
        value={text}
        maxLength={keywordMax}
        autoComplete="off"
        data-autofocus
        onKeyDown={press}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {isAsked && error !== undefined && data === undefined ? (
        <div role="alert" className={styles.note}>
          {error.message}{" "}
          <Button size="compact-sm" variant="light" onClick={() => void mutate()}>
            {t("search.tryAgain")}
          </Button>
        </div>
      ) : (
        <p role="status" className={styles.note}>
          {noteOn(text, isAsked ? data?.meta.total : undefined, offered)}
        </p>
      )}
      {choices.length > 0 && (
        <ul
          role="listbox"
          id={listId}
          aria-label={t("search.searchResults")}
          className={styles.choices}
        >
          {choices.map((choice, position) => (
            // The box keeps the focus, and its keys choose.
            <li
              key={choice.path}
              id={idOf(position)}
              role="option"
              aria-selected={position === chosen}
              data-kind={choice.kind}
              className={styles.choice}
              onMouseMove={() => setIndex(position)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => open(choice)}
            >
              <ChoiceText choice={choice} />
            </li>
          ))}
        </ul>
      )}
    </Modal>
  );
}

function ChoiceText({ choice }: { choice: Choice }) {
  switch (choice.kind) {
    case "command":
      return (
        <>
          <IconCommand size={17} aria-hidden="true" />
          <span className={styles.words}>{choice.command.label}</span>
          {choice.command.shownKey}
        </>
      );
    case "file": {
      const Mark = choice.file.kind === "audio" ? IconWaveSine : IconMovie;
      return (
        <>
          <Mark size={17} aria-hidden="true" />
          <span className={styles.words}>
            <Marked parts={choice.file.title} />
          </span>
          <Owner team={choice.file.team_id} />
          {choice.file.duration_ms !== null && (
            <span className={`${styles.aside} tabular`}>{clock(choice.file.duration_ms)}</span>
          )}
        </>
      );
    }
    case "line":
      return (
        <>
          <span className={`${styles.time} tabular`}>{clock(choice.match.start_ms)}</span>
          <span className={styles.words}>
            <Marked parts={choice.match.excerpt} />
          </span>
          {choice.match.is_translation && (
            <span className={styles.aside}>
              {languageName(choice.match.language, choice.match.language_label)}
            </span>
          )}
        </>
      );
    case "all":
      return (
        <span className={styles.words}>
          {choice.total === 1
            ? t("search.inFiles")
            : t("search.showAllFiles", { total: choice.total })}
        </span>
      );
  }
}

function noteOn(
  text: string,
  total: number | undefined,
  commands: { any: boolean; fitting: number },
): string {
  if (!isSearchable(text)) {
    return t(commands.any ? "search.commandNote" : "search.tooShort", { searchMin: SEARCH_MIN });
  }
  if (total === undefined) return t("search.searching");
  if (total === 0) return t(commands.fitting > 0 ? "search.onlyCommands" : "search.noMatchHint");
  return total === 1 ? t("search.foundOne") : t("search.found", { total });
}
