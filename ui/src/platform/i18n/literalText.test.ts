import tseslint from "typescript-eslint";
import { Linter } from "eslint";
import { expect, test } from "vitest";
import literalText from "../../../literalText.mjs";

/** The texts that the rule of `make check` finds in a component. */
function found(code: string): string[] {
  const config = [
    {
      files: ["**/*.tsx"],
      languageOptions: {
        parser: tseslint.parser as Linter.Parser,
        parserOptions: { ecmaFeatures: { jsx: true } },
      },
      plugins: { sagascript: { rules: { "literal-text": literalText } } },
      rules: { "sagascript/literal-text": "error" as const },
    },
  ];
  return new Linter()
    .verify(code, config, "a.tsx")
    .map(({ message }) => /“(.*)”/.exec(message)?.[1] ?? message);
}

test.each([
  ["const a = <p>Two lines</p>", "Two lines"],
  ['const a = <p>{b ? "on" : t("off")}</p>', "on"],
  ['const a = <button aria-label="close" />', "close"],
  ["const a = <p title={`Line ${number}`} />", "Line $"],
  ['const a = <Question verb="Delete" />', "Delete"],
  ['const a = [{ label: "Work" }]', "Work"],
  ['toast("error", "failed")', "failed"],
  ['usePageTitle("Files")', "Files"],
  ['const GONE = "This line is gone."', "This line is gone."],
])("text of a page outside the catalogues is found: %s", (code, text) => {
  expect(found(code)).toEqual([text]);
});

test.each([
  'const a = <p title={t("gone")}>{count} · {name} ms</p>',
  'const a = <Button variant="default" data-testid="save">CSV</Button>',
  'const a = { label: "srt", kind: "Undo" }',
  'type Kind = "Two Words"',
  'import a from "Some Package"',
  'const a = <i className="card quiet" />',
])("what no page says is not: %s", (code) => {
  expect(found(code)).toEqual([]);
});
