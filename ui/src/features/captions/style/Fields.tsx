import { Checkbox, ColorInput, NumberInput, Select } from "@mantine/core";
import { t } from "../../../platform/messages/editing";
import type { CaptionStyle } from "../../editor/style/data";
import styles from "./style.module.css";

export interface FieldsProps {
  style: CaptionStyle;
  set: (part: Partial<CaptionStyle>) => void;
  disabled: boolean;
}

type NumberKey = {
  [Key in keyof CaptionStyle]: CaptionStyle[Key] extends number ? Key : never;
}[keyof CaptionStyle];

interface LengthProps extends FieldsProps {
  name: NumberKey;
  label: string;
  min?: number;
  max: number;
  step?: number;
  description?: string;
}

function Length({ style, set, disabled, name, label, min = 0, ...rest }: LengthProps) {
  return (
    <NumberInput
      {...rest}
      label={label}
      min={min}
      clampBehavior="blur"
      disabled={disabled}
      value={style[name]}
      data-testid={`style-field-${name}`}
      onChange={(value) => {
        if (typeof value === "number" && value >= min && value <= rest.max) set({ [name]: value });
      }}
    />
  );
}

const HEX = /^#[0-9a-fA-F]{6}$/;

interface ColourProps {
  label: string;
  value: string;
  disabled: boolean;
  onChange: (colour: string) => void;
  placeholder?: string;
}

/** A colour by picker, or typed as `#rrggbb`. */
export function Colour({ label, value, disabled, onChange, placeholder }: ColourProps) {
  return (
    <ColorInput
      data-palette
      label={label}
      format="hex"
      withEyeDropper={false}
      disabled={disabled}
      placeholder={placeholder}
      value={value}
      swatches={["#ffffff", "#ffe066", "#5fe3c0", "#7cc4ff", "#ff9c8f", "#000000"]}
      onChange={(colour) => {
        if (HEX.test(colour)) onChange(colour);
      }}
    />
  );
}

export function Letters({ fonts, ...fields }: FieldsProps & { fonts: string[] }) {
  const { style, set, disabled } = fields;
  const signs = ["bold", "italic", "uppercase"] as const;
  return (
    <>
      <Select
        className={styles.wide}
        label={t("style.font")}
        allowDeselect={false}
        disabled={disabled}
        data={fonts}
        value={style.font}
        data-testid="style-field-font"
        onChange={(font) => font !== null && set({ font })}
      />
      <Length {...fields} name="size" label={t("style.size")} min={16} max={240} />
      <Colour
        label={t("style.colour")}
        value={style.colour}
        disabled={disabled}
        onChange={(colour) => set({ colour })}
      />
      <div className={styles.signs}>
        {signs.map((sign) => (
          <Checkbox
            key={sign}
            label={t(`style.${sign}`)}
            disabled={disabled}
            checked={style[sign]}
            onChange={(event) => set({ [sign]: event.currentTarget.checked })}
          />
        ))}
      </div>
      <Length {...fields} name="spacing" label={t("style.spacing")} max={20} step={0.5} />
      <Length {...fields} name="fit" label={t("style.fit")} max={80} />
      <p className={`${styles.wide} ${styles.about} quiet`}>{t("style.fitAbout")}</p>
    </>
  );
}

export function Outline(fields: FieldsProps) {
  const { style, set, disabled } = fields;
  return (
    <>
      <Length {...fields} name="outline" label={t("style.outline")} max={20} step={0.5} />
      <Colour
        label={t("style.outlineColour")}
        value={style.outline_colour}
        disabled={disabled}
        onChange={(outline_colour) => set({ outline_colour })}
      />
      <Length {...fields} name="shadow" label={t("style.shadow")} max={20} step={0.5} />
      <Colour
        label={t("style.shadowColour")}
        value={style.shadow_colour}
        disabled={disabled}
        onChange={(shadow_colour) => set({ shadow_colour })}
      />
    </>
  );
}

export function Box(fields: FieldsProps) {
  const { style, set, disabled } = fields;
  return (
    <>
      <Select
        className={styles.wide}
        label={t("style.boxKind")}
        allowDeselect={false}
        disabled={disabled}
        data={[
          { value: "none", label: t("style.boxNone") },
          { value: "block", label: t("style.boxBlock") },
          { value: "rows", label: t("style.boxRows") },
        ]}
        value={style.box}
        data-testid="style-field-box"
        onChange={(box) => box !== null && set({ box: box as CaptionStyle["box"] })}
      />
      {style.box !== "none" && (
        <>
          <Colour
            label={t("style.boxColour")}
            value={style.box_colour}
            disabled={disabled}
            onChange={(box_colour) => set({ box_colour })}
          />
          <NumberInput
            label={t("style.boxOpacity")}
            min={0}
            max={100}
            step={5}
            disabled={disabled}
            value={Math.round(style.box_opacity * 100)}
            onChange={(value) =>
              typeof value === "number" &&
              value >= 0 &&
              value <= 100 &&
              set({ box_opacity: value / 100 })
            }
          />
          <Length {...fields} name="box_padding" label={t("style.boxPadding")} max={60} />
        </>
      )}
    </>
  );
}

const PLACES = [7, 8, 9, 4, 5, 6, 1, 2, 3] as const;

export function Place(fields: FieldsProps) {
  const { style, set, disabled } = fields;
  return (
    <>
      <fieldset className={styles.places} disabled={disabled}>
        <legend>{t("style.place")}</legend>
        {PLACES.map((place) => (
          <label key={place} className={styles.place} title={t(`style.place${place}`)}>
            <input
              type="radio"
              name="caption-place"
              aria-label={t(`style.place${place}`)}
              checked={style.align === place}
              onChange={() => set({ align: place })}
            />
            <span aria-hidden="true" />
          </label>
        ))}
      </fieldset>
      <Length {...fields} name="margin_x" label={t("style.marginX")} max={400} step={10} />
      <Length {...fields} name="margin_y" label={t("style.marginY")} max={800} step={10} />
    </>
  );
}

export function Words({ style, set, disabled }: FieldsProps) {
  return (
    <>
      <Select
        className={styles.wide}
        label={t("style.karaokeMode")}
        allowDeselect={false}
        disabled={disabled}
        data={[
          { value: "none", label: t("style.karaokeNone") },
          { value: "fill", label: t("style.karaokeFill") },
          { value: "highlight", label: t("style.karaokeHighlight") },
          { value: "pop", label: t("style.karaokePop") },
        ]}
        value={style.karaoke}
        data-testid="style-field-karaoke"
        onChange={(mode) => mode !== null && set({ karaoke: mode as CaptionStyle["karaoke"] })}
      />
      {style.karaoke !== "none" && (
        <Colour
          label={t("style.karaokeColour")}
          value={style.karaoke_colour}
          disabled={disabled}
          onChange={(karaoke_colour) => set({ karaoke_colour })}
        />
      )}
    </>
  );
}
