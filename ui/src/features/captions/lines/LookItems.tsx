import { Menu } from "@mantine/core";
import { t } from "../../../platform/messages/processing";
import { t as timing } from "../../../platform/messages/editing";
import { IconCheck } from "../../../platform/theme/icons";
import type { Editing } from "../../editor/editing";
import { CommandKey } from "../../editor/keys/CommandKey";
import { PLACES } from "../../editor/look";
import type { Line, WordStyle } from "../../../domain/captions/types";
import { toggleForced } from "../rows/flags";
import styles from "./lines.module.css";

const STYLES: readonly WordStyle[] = ["italic", "bold", "underline"];
const BOTTOM_CENTRE = 2;

/** In the menu of a line: how its words are set, and where it stands on the picture. */
export function LookItems({ line, editing }: { line: Line; editing: Editing }) {
  const place = line.place?.align ?? BOTTOM_CENTRE;
  const has = (style: WordStyle) =>
    line.words.length > 0 && line.words.every((word) => word.styles?.includes(style) ?? false);
  return (
    <>
      {STYLES.map((style) => (
        <Menu.CheckboxItem
          key={style}
          checked={has(style)}
          checkIcon={<IconCheck size={15} />}
          rightSection={<CommandKey command={style} />}
          closeMenuOnClick
          onChange={() => editing.toggleStyle(style, line.id)}
        >
          {t(`transfer.${style}`)}
        </Menu.CheckboxItem>
      ))}
      <Menu.CheckboxItem
        checked={line.forced}
        checkIcon={<IconCheck size={15} />}
        rightSection={<CommandKey command="forced" />}
        closeMenuOnClick
        onChange={() => toggleForced(editing, line.id)}
      >
        {timing("timing.forced")}
      </Menu.CheckboxItem>
      <Menu.Label>{t("transfer.place")}</Menu.Label>
      <div className={styles.places} role="group" aria-label={t("transfer.place")}>
        {PLACES.map((align) => (
          <Menu.RadioItem
            key={align}
            value={String(align)}
            checked={align === place}
            closeMenuOnClick
            classNames={{ itemIndicator: styles.placeIndicator }}
            aria-label={t(`transfer.place${align}`)}
            title={t(`transfer.place${align}`)}
            className={styles.place}
            onChange={() => editing.setPlace(align, line.id)}
          >
            <span className={styles.placeMark} data-chosen={align === place || undefined} />
          </Menu.RadioItem>
        ))}
      </div>
    </>
  );
}
