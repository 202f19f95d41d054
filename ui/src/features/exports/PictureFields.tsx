import { NativeSelect } from "@mantine/core";
import { t } from "../../platform/messages/exports";
import { heightsFor, type Aspect, type Choice, type Fit, type Quality } from "./choice";
import { CropPicture } from "./CropPicture";
import { presetName, useStyles } from "../editor/style/data";
import type { ExportOptions } from "./data";
import styles from "./exports.module.css";

const SHAPES: { value: Aspect; label: string }[] = [
  { value: "original", label: t("shapeOriginal") },
  { value: "16:9", label: t("shapeWide") },
  { value: "9:16", label: t("shapeTall") },
  { value: "1:1", label: t("shapeSquare") },
];
const FITS: { value: Fit; label: string }[] = [
  { value: "pad", label: t("fitPad") },
  { value: "blur", label: t("fitBlur") },
  { value: "crop", label: t("fitCrop") },
];
const QUALITIES: { value: Quality; label: string }[] = [
  { value: "small", label: t("qualitySmall") },
  { value: "standard", label: t("qualityStandard") },
  { value: "high", label: t("qualityHigh") },
];

interface Props {
  choice: Choice;
  options: ExportOptions;
  poster: string | null;
  onChange: (more: Partial<Choice>) => void;
}

/** How a burned-in picture looks: style of the captions, shape, fit, size and quality. */
export function PictureFields({ choice, options, poster, onChange }: Props) {
  const { data: all } = useStyles();
  const hasPicture = options.width !== null && options.height !== null;
  const whole = hasPicture ? Math.min(options.width ?? 0, options.height ?? 0) : 0;
  const heights = heightsFor(options, choice);
  const isShaped = choice.aspect !== "original";
  return (
    <>
      {options.is_hdr && <p className={styles.hint}>{t("hdr")}</p>}
      <div className={styles.fields}>
        <NativeSelect
          label={t("style")}
          value={choice.styleId ?? ""}
          data={[
            { value: "", label: t("styleOfFile") },
            ...(all?.presets ?? []).map((one) => ({ value: one.id, label: presetName(one) })),
          ]}
          onChange={(event) => onChange({ styleId: event.currentTarget.value || null })}
        />
        <NativeSelect
          label={t("shape")}
          data-testid="export-shape"
          value={choice.aspect}
          data={SHAPES}
          onChange={(event) => onChange({ aspect: event.currentTarget.value as Aspect })}
        />
        {isShaped && hasPicture && (
          <NativeSelect
            label={t("fit")}
            value={choice.fit}
            data={FITS}
            onChange={(event) => onChange({ fit: event.currentTarget.value as Fit })}
          />
        )}
        {hasPicture && (
          <NativeSelect
            label={t("size")}
            value={String(choice.height ?? "")}
            data={[
              { value: "", label: t("sizeOriginal", { size: isShaped ? 0 : whole }) },
              ...heights.map((size) => ({
                value: String(size),
                label: `${size}p`,
              })),
            ]}
            onChange={(event) => onChange({ height: Number(event.currentTarget.value) || null })}
          />
        )}
        <NativeSelect
          label={t("quality")}
          value={choice.quality}
          data={QUALITIES}
          onChange={(event) => onChange({ quality: event.currentTarget.value as Quality })}
        />
      </div>
      {isShaped && hasPicture && choice.fit === "crop" && (
        <CropPicture choice={choice} options={options} poster={poster} onChange={onChange} />
      )}
    </>
  );
}
