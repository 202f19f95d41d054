/** The tools beside the lines, one row each. Every panel is a chunk of its own, loaded when it is first opened. */
import { type ComponentType } from "react";
import { t } from "../../../platform/i18n/en/panels";
import { t as quality } from "../../../platform/i18n/en/quality";
import { t as timing } from "../../../platform/i18n/en/timing";
import { t as together } from "../../../platform/i18n/en/together";
import { t as style } from "../../../platform/i18n/en/style";
import {
  IconClock,
  IconHistory,
  IconListCheck,
  IconNotes,
  IconPalette,
  IconRefresh,
  IconSearch,
  IconShieldCheck,
  IconSparkles,
  IconTextSpellcheck,
  type Icon,
} from "../../../platform/theme/icons";
import type { PanelId, PanelProps } from "../../editor/panels/panel";
import { part } from "../../../platform/failure/Later";

export interface Panel {
  id: PanelId;
  label: string;
  icon: Icon;
  load: () => Promise<{ default: ComponentType<PanelProps> }>;
}

export const PANELS: readonly Panel[] = [
  {
    id: "find",
    label: t("find"),
    icon: IconSearch,
    load: () => import("../find/FindPanel"),
  },
  {
    id: "quality",
    label: quality("quality"),
    icon: IconShieldCheck,
    load: () => import("../quality/QualityPanel"),
  },
  {
    id: "review",
    label: t("review"),
    icon: IconListCheck,
    load: () => import("../review/ReviewPanel"),
  },
  {
    id: "spelling",
    label: t("spelling"),
    icon: IconTextSpellcheck,
    load: () => import("../spelling/SpellingPanel"),
  },
  {
    id: "ai",
    label: t("proofreading"),
    icon: IconSparkles,
    load: () => import("../proofreading/ProofreadingPanel"),
  },
  {
    id: "style",
    label: style("panel"),
    icon: IconPalette,
    load: () => import("../style/StylePanel"),
  },
  {
    id: "timing",
    label: timing("panel"),
    icon: IconClock,
    load: () => import("../timing/TimingPanel"),
  },
  {
    id: "notes",
    label: together("notes"),
    icon: IconNotes,
    load: () => import("../notes/NotesPanel"),
  },
  {
    id: "history",
    label: together("history"),
    icon: IconHistory,
    load: () => import("../history/HistoryPanel"),
  },
  {
    id: "rerun",
    label: together("rerun"),
    icon: IconRefresh,
    load: () => import("../rerun/RerunPanel"),
  },
];

/** The panel of each id; made once, because a lazy component made while rendering would mount anew each time. */
export const PANEL_VIEWS: ReadonlyMap<PanelId, ComponentType<PanelProps>> = new Map(
  PANELS.map(({ id, load }) => [id, part(load)]),
);
