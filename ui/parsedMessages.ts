import { parse } from "@formatjs/icu-messageformat-parser";
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
      if (!/\/platform\/messages\/[a-z-]+\/\w+\.json$/.test(id)) return undefined;
      const messages = Object.entries(JSON.parse(code) as Record<string, string>);
      const parsed = messages.map(([key, text]) => [key, /[{<]/.test(text) ? parse(text) : text]);
      return JSON.stringify(Object.fromEntries(parsed));
    },
  };
}
