import { messages } from "../messages";

/** Terms of the glossary in the lines. */
export const t = messages("terms", {
  stays: "Glossary: “{source}” is not translated",
  becomes: "Glossary: {source} → {target}",
  missing: "{target} is missing",
  missingIn: "Glossary terms missing in line {number}",
  missingTitle: "The glossary translates “{source}” as “{target}”",
  noneMissing: "No glossary term is missing in this line.",
  replace: "Put “{target}” in place of “{words}”",
  insert: "Insert “{target}” at the cursor",
});
