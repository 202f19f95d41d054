import { Menu } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../../platform/messages/glossary";
import { IconBook, IconPlus } from "../../../platform/theme/icons";
import type { Term } from "../../../domain/glossary/types";
import type { Editing } from "../../editor/editing";
import { lastSelectionOf } from "../../editor/focus";
import { useTrackOfRows } from "../lines/trackContext";
import { pairOf } from "../../../domain/captions/terms/matching";
import { certainPlace, withTerm, type Offer } from "../../../domain/captions/terms/offers";

interface Props {
  /** The line. */
  id: string;
  text: string;
  term: Term;
  editing: Editing;
  /** What the button says that opened it. */
  words: ReactNode;
  onClose: () => void;
}

/** Puts a missing term into a translation: for the words that it certainly replaces, the marked ones or at the caret. */
export function TermMenu({ id, text, term, editing, words, onClose }: Props) {
  const { translation } = useTrackOfRows();
  const place = certainPlace(term, text, translation?.from ?? "");
  const selected = lastSelectionOf(id) ?? { start: text.length, end: text.length };
  const marked = text.slice(selected.start, selected.end).trim();
  const take = ({ content, caret }: Offer) => {
    onClose();
    editing.store.run({ action: "Edit", line: id, content });
    editing.goInto(id, caret);
  };
  const close = () => {
    onClose();
    editing.goTo(id);
  };
  const certain = place && withTerm(term, text, place);
  const here = withTerm(term, text, selected);
  return (
    <Menu opened onClose={close} position="bottom-start" trapFocus returnFocus={false}>
      <Menu.Target>
        <button type="button" onClick={close}>
          {words}
        </button>
      </Menu.Target>
      <Menu.Dropdown data-testid="term-menu">
        <Menu.Label>
          {term.note === "" ? t("terms.missingTitle", pairOf(term)) : term.note}
        </Menu.Label>
        {certain !== undefined && (
          <Menu.Item
            data-autofocus
            leftSection={<IconBook size={16} />}
            onClick={() => take(certain)}
          >
            {t("terms.replace", { target: term.target, words: certain.replaced })}
          </Menu.Item>
        )}
        {(marked === "" || marked !== certain?.replaced) && (
          <Menu.Item
            data-autofocus={certain === undefined || undefined}
            leftSection={<IconPlus size={16} />}
            onClick={() => take(here)}
          >
            {marked === ""
              ? t("terms.insert", { target: term.target })
              : t("terms.replace", { target: term.target, words: marked })}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
