import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";
import floors from "./floors.mjs";
import literalText from "./literalText.mjs";

const rules = ["literalText.mjs", "floors.mjs"].map((name) =>
  readFileSync(new URL(name, import.meta.url)),
);
const sagascript = {
  // ESLint's cache depends on it: a rule that changed looks at every file again.
  meta: {
    name: "sagascript",
    version: createHash("sha256").update(Buffer.concat(rules)).digest("hex"),
  },
  rules: { floors, "literal-text": literalText },
};

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/platform/api/schema.d.ts"] },
  ...tseslint.configs.strict,
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { "react-hooks": reactHooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "max-lines": ["error", { max: 250, skipBlankLines: true, skipComments: true }],
      "no-console": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXOpeningElement[name.name='CloseButton'] > JSXAttribute[name.name='size']",
          message: "The theme makes what closes something large enough for fingers.",
        },
      ],
    },
  },
  {
    files: ["src/**/*.{ts,tsx}"],
    // Pages have their own way to load again.
    ignores: ["src/platform/failure/Later.tsx", "src/app/router/routes.tsx"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          name: "react",
          importNames: ["lazy"],
          message: "Use `part` or `later`, which say it where code does not arrive.",
        },
      ],
    },
  },
  {
    files: ["src/**/*.{ts,tsx}"],
    ignores: [
      "src/**/*.{test,testing}.{ts,tsx}",
      "src/platform/i18n/**",
      // What an unhandled error shows is prescribed; the story is in three languages by purpose.
      "src/{app/main,platform/failure/ErrorScreen,features/landing/AuthStory}.tsx",
    ],
    plugins: { sagascript },
    rules: { "sagascript/literal-text": "error" },
  },
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { sagascript },
    rules: { "sagascript/floors": "error" },
  },
  {
    files: ["src/**/*.test.{ts,tsx}"],
    ignores: ["src/**/*.anew.test.{ts,tsx}", "src/platform/i18n/*.test.{ts,tsx}"],
    rules: {
      "no-restricted-properties": [
        "error",
        ...["mock", "doMock"].map((property) => ({
          object: "vi",
          property,
          message:
            "Tests share modules, so a mock may come too late. Name the file *.anew.test.ts.",
        })),
      ],
    },
  },
);
