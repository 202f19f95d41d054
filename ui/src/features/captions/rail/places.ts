/** The places of the rail, in their order. Panels say themselves in which one they are (`panels/registry.ts`). */
import { t } from "../../../platform/messages/editor";
import {
  IconHistory,
  IconLanguage,
  IconNotes,
  IconPalette,
  IconPencil,
  IconShieldCheck,
  IconUsers,
  type Icon,
} from "../../../platform/theme/icons";
import type { PlaceId } from "../../editor/panels/panel";

export interface Place {
  id: PlaceId;
  label: string;
  icon: Icon;
}

export const PLACES: readonly Place[] = [
  { id: "edit", label: t("places.edit"), icon: IconPencil },
  { id: "check", label: t("places.check"), icon: IconShieldCheck },
  { id: "speakers", label: t("speakers"), icon: IconUsers },
  { id: "style", label: t("places.style"), icon: IconPalette },
  { id: "translate", label: t("places.translate"), icon: IconLanguage },
  { id: "text", label: t("places.text"), icon: IconNotes },
  { id: "versions", label: t("places.versions"), icon: IconHistory },
];
