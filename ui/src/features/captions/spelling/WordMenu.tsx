import { Menu } from "@mantine/core";
import { useEffect, useState } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/glossary";
import { IconBook, IconUsers, IconX } from "../../../platform/theme/icons";
import { useActiveTeam } from "../../../domain/teams/activeTeam";
import { addKnownWord } from "../../../domain/glossary/words";
import type { TermScope } from "../../../domain/glossary/types";
import { toast } from "../../../platform/notices/toast";
import type { Editing } from "../../editor/editing";
import { useTrackOfRows } from "../lines/trackContext";
import { spellingOf } from "./Spelling";
import type { WordAt } from "./words";
import styles from "./spelling.module.css";

/** A wrong word of a line whose menu is open, and where on the page it stands. */
export interface WordSpot {
  line: string;
  text: string;
  at: WordAt;
  x: number;
  y: number;
}

interface Props {
  spot: WordSpot;
  editing: Editing;
  onClose: () => void;
}

/** What can be done with an unknown word: take a suggestion, accept the word, ignore it. */
export default function WordMenu({ spot, editing, onClose }: Props) {
  const { word, start, end } = spot.at;
  const spelling = spellingOf(editing);
  const { language } = useTrackOfRows();
  const worksForTeam = useActiveTeam().team !== undefined;
  const { mutate } = useSWRConfig();
  const [found, setFound] = useState<string[]>();

  useEffect(() => {
    let isOpen = true;
    void spelling.suggest(word).then((words) => isOpen && setFound(words));
    return () => {
      isOpen = false;
    };
  }, [spelling, word]);

  const back = (at: number) => {
    onClose();
    editing.goInto(spot.line, at);
  };
  const take = (suggestion: string) => {
    const content = spot.text.slice(0, start) + suggestion + spot.text.slice(end);
    editing.store.run({ action: "Edit", line: spot.line, content });
    back(start + suggestion.length);
  };
  const add = (scope: TermScope) => {
    // The dictionary of the language in general: a word of en-GB is right in en-US too.
    void addKnownWord(word, language?.split("-")[0] ?? null, scope)
      .then(() => mutate(keys.knownWords))
      .catch((error: Error) => toast("error", error.message));
    back(end);
  };
  return (
    <Menu
      opened
      onClose={() => back(end)}
      position="bottom-start"
      width={240}
      trapFocus
      returnFocus={false}
    >
      <Menu.Target>
        <span className={styles.anchor} style={{ left: spot.x, top: spot.y }} />
      </Menu.Target>
      <Menu.Dropdown data-testid="word-menu">
        <Menu.Label>{t("spelling.suggestions", { word })}</Menu.Label>
        {found === undefined && <Menu.Item disabled>{t("spelling.asking")}</Menu.Item>}
        {found?.length === 0 && <Menu.Item disabled>{t("spelling.noSuggestion")}</Menu.Item>}
        {found?.map((suggestion) => (
          <Menu.Item key={suggestion} onClick={() => take(suggestion)}>
            <b>{suggestion}</b>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconBook size={16} />} onClick={() => add("user")}>
          {t("spelling.addMine")}
        </Menu.Item>
        {worksForTeam && (
          <Menu.Item leftSection={<IconUsers size={16} />} onClick={() => add("team")}>
            {t("spelling.addTeam")}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconX size={16} />}
          onClick={() => {
            spelling.ignore(word);
            back(end);
          }}
        >
          {t("spelling.ignore")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
