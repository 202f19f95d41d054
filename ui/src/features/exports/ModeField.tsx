import { t } from "../../platform/messages/exports";
import type { Mode } from "./choice";
import styles from "./exports.module.css";

const MODES: { mode: Mode; name: string; about: string }[] = [
  { mode: "burned", name: t("burned"), about: t("burnedAbout") },
  { mode: "soft", name: t("soft"), about: t("softAbout") },
  { mode: "audio", name: t("audio"), about: t("audioAbout") },
];

export function ModeField({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) {
  return (
    <fieldset className={styles.modes}>
      <legend className="visually-hidden">{t("exportType")}</legend>
      {MODES.map((one) => (
        <label key={one.mode} className={styles.mode}>
          <input
            type="radio"
            name="mode"
            value={one.mode}
            checked={mode === one.mode}
            onChange={() => onChange(one.mode)}
          />
          <strong>{one.name}</strong>
          <span>{one.about}</span>
        </label>
      ))}
    </fieldset>
  );
}
