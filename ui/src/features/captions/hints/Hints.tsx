import { Button, CloseButton } from "@mantine/core";
import { useHints } from "../../../domain/person/hints";
import { t } from "../../../platform/messages/editor";
import { IconBulb } from "../../../platform/theme/icons";
import { takesText } from "../../editor/editorState";
import { useEditor } from "../../editor/context";
import { useView } from "../../editor/useView";
import styles from "./hints.module.css";

const HINTS = [t("hints.click"), t("hints.check"), t("hints.commands"), t("hints.export")];

/** What a person should know first, one thing at a time, above the captions that they may change. */
export function Hints() {
  const { editing, state, mayChange } = useEditor();
  // Beside the first lines already: coming with the rest, it would push them down under the pointer.
  const isPart = useView(editing.store, ({ captions }) => captions.isPart === true);
  const { at, show, close } = useHints();
  const hint = at === undefined ? undefined : HINTS[at];
  const isOpen = mayChange && (isPart || takesText(state));
  if (hint === undefined || at === undefined || !isOpen) return null;
  const isLast = at === HINTS.length - 1;
  return (
    <section className={styles.hints} aria-label={t("hints.title")} data-testid="hints">
      <IconBulb size={17} aria-hidden="true" />
      <p aria-live="polite">
        <span className="quiet tabular">
          {t("hints.count", { at: at + 1, count: HINTS.length })}
        </span>{" "}
        {hint}
      </p>
      {at > 0 && (
        <Button size="compact-sm" variant="subtle" onClick={() => show(at - 1)}>
          {t("hints.back")}
        </Button>
      )}
      <Button size="compact-sm" variant="light" onClick={() => (isLast ? close() : show(at + 1))}>
        {isLast ? t("hints.done") : t("hints.next")}
      </Button>
      <CloseButton aria-label={t("hints.close")} onClick={close} />
    </section>
  );
}
