import { parse } from "@formatjs/icu-messageformat-parser";
import ts from "typescript";
import type { Plugin } from "vite";

/** Parse the ICU messages of the catalogues in the build; the parser is larger than most pages. */
export function parsedMessages(): Plugin {
  return {
    name: "parsed-messages",
    apply: "build",
    enforce: "pre",
    config: () => ({
      resolve: {
        alias: [
          {
            find: /^@formatjs\/icu-messageformat-parser$/,
            replacement: "@formatjs/icu-messageformat-parser/no-parser.js",
          },
        ],
      },
    }),
    transform(code, id) {
      if (!/\/i18n\/(en|is)\/[^/]+\.ts$/.test(id)) return undefined;
      const file = ts.createSourceFile(id, code, ts.ScriptTarget.Latest, true);
      const parsed: { start: number; end: number; message: string }[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer)) {
          const { text } = node.initializer;
          if (/[{<]/.test(text))
            parsed.push({
              start: node.initializer.getStart(file),
              end: node.initializer.end,
              message: JSON.stringify(parse(text)),
            });
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
      return parsed.reduceRight(
        (rest, { start, end, message }) => rest.slice(0, start) + message + rest.slice(end),
        code,
      );
    },
  };
}
