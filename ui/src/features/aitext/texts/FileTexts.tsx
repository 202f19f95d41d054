import { Link } from "react-router";
import { t } from "../../../platform/messages/aitext";
import { IconNotes } from "../../../platform/theme/icons";
import type { MediaFile } from "../../../domain/files/data";
import { briefWords } from "./fileTexts";
import { panelAddress } from "../../editor/panels/usePanel";
import styles from "./fileTexts.module.css";

/** Which texts exist about a file and what is being written. Nothing while there are none. */
export function FileTexts({ file }: { file: Pick<MediaFile, "slug" | "name" | "ai_texts"> }) {
  if (file.ai_texts.length === 0) return null;
  return (
    <ul className={styles.texts} aria-label={t("list.title", { fileName: file.name })}>
      {file.ai_texts.map((text) => (
        <li key={`${text.type}_${text.language}`}>
          <Link to={panelAddress(file.slug)} data-state={text.state} title={text.language}>
            <IconNotes size={13} aria-hidden="true" />
            {briefWords(text)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
