import type { t } from "../en/panels";
import type { Translation } from "../messages";

export default {
  tools: "Verkfæri",
  open: "Opið",
  close: "Loka: {panel}",
  find: "Finna og skipta út",
  review: "Yfirferð",
  spelling: "Stafsetning",
  glossary: "Orðasafn",
  proofreading: "Yfirlestur",
} satisfies Translation<typeof t>;
