import type { CSSProperties } from "react";
import { t } from "../../platform/messages/exports";
import type { Aspect, Choice } from "./choice";
import type { ExportOptions } from "./data";
import styles from "./exports.module.css";

const RATIO: Record<Exclude<Aspect, "original">, number> = {
  "16:9": 16 / 9,
  "9:16": 9 / 16,
  "1:1": 1,
};

interface Props {
  choice: Choice;
  options: ExportOptions;
  poster: string | null;
  onChange: (more: Partial<Choice>) => void;
}

/** The picture with the part of it that the export shows, and a slider that moves this part. */
export function CropPicture({ choice, options, poster, onChange }: Props) {
  const whole = (options.width ?? 16) / (options.height ?? 9);
  const wanted = choice.aspect === "original" ? whole : RATIO[choice.aspect];
  const across = Math.min(1, wanted / whole);
  const down = Math.min(1, whole / wanted);
  const isAcross = across < 1;
  const place = {
    "--crop-left": `${(1 - across) * choice.cropX * 100}%`,
    "--crop-top": `${(1 - down) * choice.cropY * 100}%`,
    "--crop-width": `${across * 100}%`,
    "--crop-height": `${down * 100}%`,
    aspectRatio: String(whole),
  } as CSSProperties;
  return (
    <div className={styles.crop}>
      <div className={styles.cropPicture} style={place} role="img" aria-label={t("cropPicture")}>
        {poster !== null && <img src={poster} alt="" />}
        <div className={styles.cropPart} data-testid="crop-part" />
      </div>
      <label className={styles.cropPlace}>
        {t(isAcross ? "cropAcross" : "cropDown")}
        <input
          type="range"
          min={0}
          max={100}
          value={Math.round((isAcross ? choice.cropX : choice.cropY) * 100)}
          onChange={(event) => {
            const share = Number(event.currentTarget.value) / 100;
            onChange(isAcross ? { cropX: share } : { cropY: share });
          }}
        />
      </label>
    </div>
  );
}
