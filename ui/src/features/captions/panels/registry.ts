/** The tools beside the lines, one row each. Every panel is a chunk of its own, loaded when it is first opened. */
import { type ComponentType } from "react";
import { t } from "../../../platform/messages/editor";
import { t as quality } from "../../../platform/messages/quality";
import { t as timing } from "../../../platform/messages/editing";

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
    label: t("panels.find"),
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
    label: t("panels.review"),
    icon: IconListCheck,
    load: () => import("../review/ReviewPanel"),
  },
  {
    id: "spelling",
    label: t("panels.spelling"),
    icon: IconTextSpellcheck,
    load: () => import("../spelling/SpellingPanel"),
  },
  {
    id: "ai",
    label: t("panels.proofreading"),
    icon: IconSparkles,
    load: () => import("../proofreading/ProofreadingPanel"),
  },
  {
    id: "style",
    label: timing("style.panel"),
    icon: IconPalette,
    load: () => import("../style/StylePanel"),
  },
  {
    id: "timing",
    label: timing("timing.panel"),
    icon: IconClock,
    load: () => import("../timing/TimingPanel"),
  },
  {
    id: "notes",
    label: timing("together.notes"),
    icon: IconNotes,
    load: () => import("../notes/NotesPanel"),
  },
  {
    id: "history",
    label: timing("together.history"),
    icon: IconHistory,
    load: () => import("../history/HistoryPanel"),
  },
  {
    id: "rerun",
    label: timing("together.rerun"),
    icon: IconRefresh,
    load: () => import("../rerun/RerunPanel"),
  },
];

/** The panel of each id; made once, because a lazy component made while rendering would mount anew each time. */
export const PANEL_VIEWS: ReadonlyMap<PanelId, ComponentType<PanelProps>> = new Map(
  PANELS.map(({ id, load }) => [id, part(load)]),
);
