import type { Schemas } from "../../../platform/api/client";
import type { Line } from "../types";

export type Profile = Schemas["ProfileOut"];
export type Limits = Schemas["QualityProfile"];
export type Rule = Schemas["Rule"];
export type Severity = Schemas["Severity"];
export type Report = Schemas["QualityReport"];
export type ServerFinding = Schemas["FindingOut"];
export type Fix = Schemas["FixOut"];
export type Rules = Schemas["QualityRules"];
export type Texts = Schemas["RuleTexts"];
export type Values = Readonly<Record<string, number | string>>;

/** One rule that a line breaks; `lines` begins with that line. */
export interface Finding {
  rule: Rule;
  severity: Severity;
  lines: readonly string[];
  values: Values;
}

/** What the rules need to know beside the lines, as `Circumstances` on the server. */
export interface Circumstances {
  limits: Limits;
  /** The language of the captions without its region. */
  code: string;
  cuts: readonly number[];
  /** The least gap in milliseconds at the frame rate of the file. */
  gapMs: number;
  undrawable: ReadonlySet<string>;
  /** Words that lean on the next one, in this language. */
  leaning: ReadonlySet<string>;
}

/** What the rules look at of the line after the one that they judge. */
export type Following = Pick<Line, "id" | "start_ms"> | undefined;
