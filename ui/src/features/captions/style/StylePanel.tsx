import { Accordion, Alert, Select, Switch } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { t } from "../../../platform/messages/editing";
import type { PanelProps } from "../../editor/panels/panel";
import type { SafeAreaKind } from "../preview/SafeArea";
import { useExactPreview, useSafeArea } from "../preview/settings";
import { contrastProblem } from "./contrast";
import {
  useFileStyle,
  useStyleChange,
  useStyles,
  type CaptionStyle,
} from "../../editor/style/data";
import { Box, Letters, Outline, Place, Words } from "./Fields";
import { Presets } from "./Presets";
import { SpeakerColours } from "./SpeakerColours";
import styles from "./style.module.css";

/** How captions look in this file, shown at once over the picture. */
export default function StylePanel({ file, readOnly }: PanelProps) {
  const { data: own, error } = useFileStyle(file.slug);
  const { data: all, error: listError } = useStyles();
  const change = useStyleChange(file.slug);
  const problem = error ?? listError;
  if (problem !== undefined)
    return (
      <Alert color="red" m="md" role="alert">
        {problem.message}
      </Alert>
    );
  if (own === undefined || all === undefined) return null;
  const { style } = own;
  const set = (part: Partial<CaptionStyle>) =>
    change({ preset_id: own.preset_id, style: { ...style, ...part } });
  const warning = contrastProblem(style);
  const fields = { style, set, disabled: readOnly };

  return (
    <div className={styles.panel} onKeyDown={keepOpen}>
      <Presets own={own} presets={all.presets} readOnly={readOnly} onChange={change} />
      {readOnly && <p className="quiet">{t("style.readOnly")}</p>}
      <div role="status" data-testid="contrast">
        {warning !== null && (
          <Alert color="yellow" p="xs">
            {warning}
          </Alert>
        )}
      </div>
      <Accordion multiple variant="contained" defaultValue={["letters"]} chevronPosition="left">
        <Group id="letters" label={t("style.letters")}>
          <Letters {...fields} fonts={all.fonts.map(({ family }) => family)} />
        </Group>
        <Group id="outline" label={t("style.outlineGroup")}>
          <Outline {...fields} />
        </Group>
        <Group id="box" label={t("style.boxGroup")}>
          <Box {...fields} />
        </Group>
        <Group id="place" label={t("style.placeGroup")}>
          <Place {...fields} />
        </Group>
        <Group id="words" label={t("style.wordsGroup")}>
          <Words {...fields} />
        </Group>
        <Group id="speakers" label={t("style.speakersGroup")}>
          <SpeakerColours {...fields} slug={file.slug} />
        </Group>
        <Group id="preview" label={t("style.previewGroup")}>
          <PreviewSettings />
        </Group>
      </Accordion>
      <p className={`${styles.units} quiet`}>{t("style.units")}</p>
    </div>
  );
}

/** Escape closes an open list or palette first, and the panel only after that. */
function keepOpen(event: KeyboardEvent): void {
  const { target, key } = event;
  if (key !== "Escape" || !(target instanceof Element)) return;
  const isOpen = target.getAttribute("aria-expanded") === "true";
  if (isOpen || target.closest("[data-palette]") !== null) event.stopPropagation();
}

function Group({ id, label, children }: { id: string; label: string; children: React.ReactNode }) {
  return (
    <Accordion.Item value={id}>
      <Accordion.Control data-testid={`style-${id}`}>{label}</Accordion.Control>
      <Accordion.Panel>
        <div className={styles.fields}>{children}</div>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function PreviewSettings() {
  const [exact, setExact] = useExactPreview();
  const [area, setArea] = useSafeArea();
  return (
    <>
      <Switch
        className={styles.wide}
        label={t("style.exact")}
        checked={exact}
        onChange={(event) => setExact(event.currentTarget.checked)}
      />
      <Select
        className={styles.wide}
        label={t("style.safeArea")}
        description={area === "none" ? undefined : t("style.safeShown")}
        allowDeselect={false}
        data={[
          { value: "none", label: t("style.safeNone") },
          { value: "wide", label: t("style.safeWide") },
          { value: "tall", label: t("style.safeTall") },
          { value: "square", label: t("style.safeSquare") },
        ]}
        value={area}
        onChange={(value) => setArea((value ?? "none") as SafeAreaKind)}
      />
    </>
  );
}
