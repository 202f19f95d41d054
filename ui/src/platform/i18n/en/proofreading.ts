import { messages } from "../messages";

/** Proposals of a text model for captions. */
export const t = messages("proofreading", {
  intro:
    "A model reads the captions and proposes corrections. Nothing changes until you accept it.",
  start: "Proofread all lines",
  again: "Proofread again",
  line: "Only the selected line:",
  fixLine: "Fix spelling",
  shorten: "Shorten",
  running: "Reading the lines…",
  cancel: "Cancel",
  cancelled: "The proofreading was cancelled.",
  failed: "The proofreading failed.",
  model: "Model: {engine}",
  rules: "By rules, without a language model",
  none: "No line of {lines, number} needs a change.",
  found:
    "{count, plural, one {# proposal} other {# proposals}} in {lines, plural, one {# line} other {# lines}}",
  large: "Much of it is new: read it before you accept it.",
  accept: "{count, plural, one {Accept # proposal} other {Accept # proposals}}",
  all: "Choose all",
  noneChosen: "Choose none",
  step: "{count, plural, one {Accept # proposal} other {Accept # proposals}} of proofreading",
  accepted: "{count, plural, one {Changed # line.} other {Changed # lines.}} Undo takes this back.",
  gone: "{count, plural, one {# line has} other {# lines have}} changed since they were read, and {count, plural, one {stays} other {stay}} as they are.",
  show: "Show line {number, number}",
  before: "Before",
  after: "After",
  spelling: "Spelling",
  grammar: "Grammar",
  punctuation: "Punctuation",
  name: "Name",
  repetition: "Repetition",
  shorter: "Shorter",
});
