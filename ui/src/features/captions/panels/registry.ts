/** The tools beside the lines, one row each, by their places. Every panel is a chunk of its own, loaded when it is first opened. */
import { type ComponentType } from "react";
import { t } from "../../../platform/messages/editor";
import { t as quality } from "../../../platform/messages/quality";
import { t as timing } from "../../../platform/messages/editing";

import {
  IconClock,
  IconHistory,
  IconFileText,
  IconListCheck,
  IconNotes,
  IconPalette,
  IconRefresh,
  IconSearch,
  IconShieldCheck,
  IconSparkles,
  IconTextSpellcheck,
  IconUsers,
  type Icon,
} from "../../../platform/theme/icons";
import type { PanelId, PanelProps, PlaceId } from "../../editor/panels/panel";
import { part } from "../../../platform/failure/Later";

export interface Panel {
  id: PanelId;
  place: PlaceId;
  label: string;
  /** Its name among the tools of its place, where the whole one takes too much room. */
  short?: string;
  icon: Icon;
  load: () => Promise<{ default: ComponentType<PanelProps> }>;
}

export const PANELS: readonly Panel[] = [
  {
    id: "find",
    place: "edit",
    label: t("panels.find"),
    short: t("panels.findShort"),
    icon: IconSearch,
    load: () => import("../find/FindPanel"),
  },
  {
    id: "timing",
    place: "edit",
    label: timing("timing.panel"),
    icon: IconClock,
    load: () => import("../timing/TimingPanel"),
  },
  {
    id: "reference",
    place: "edit",
    label: timing("reference"),
    icon: IconFileText,
    load: () => import("../reference/ReferencePanel"),
  },
  {
    id: "rerun",
    place: "edit",
    label: timing("together.rerun"),
    icon: IconRefresh,
    load: () => import("../rerun/RerunPanel"),
  },
  {
    id: "quality",
    place: "check",
    label: quality("quality"),
    icon: IconShieldCheck,
    load: () => import("../quality/QualityPanel"),
  },
  {
    id: "review",
    place: "check",
    label: t("panels.review"),
    icon: IconListCheck,
    load: () => import("../review/ReviewPanel"),
  },
  {
    id: "spelling",
    place: "check",
    label: t("panels.spelling"),
    icon: IconTextSpellcheck,
    load: () => import("../spelling/SpellingPanel"),
  },
  {
    id: "ai",
    place: "check",
    label: t("panels.proofreading"),
    icon: IconSparkles,
    load: () => import("../proofreading/ProofreadingPanel"),
  },
  {
    id: "speakers",
    place: "speakers",
    label: t("speakers"),
    icon: IconUsers,
    load: () => import("../../speakers/SpeakersPanel"),
  },
  {
    id: "style",
    place: "style",
    label: timing("style.panel"),
    icon: IconPalette,
    load: () => import("../style/StylePanel"),
  },
  {
    id: "history",
    place: "versions",
    label: timing("together.history"),
    icon: IconHistory,
    load: () => import("../history/HistoryPanel"),
  },
  {
    id: "notes",
    place: "versions",
    label: timing("together.notes"),
    icon: IconNotes,
    load: () => import("../notes/NotesPanel"),
  },
];

/** The panel of each id; made once, because a lazy component made while rendering would mount anew each time. */
export const PANEL_VIEWS: ReadonlyMap<PanelId, ComponentType<PanelProps>> = new Map(
  PANELS.map(({ id, load }) => [id, part(load)]),
);

/** The panels of a place, in the order of their tabs. */
export const panelsOf = (place: PlaceId): readonly Panel[] =>
  PANELS.filter((panel) => panel.place === place);
