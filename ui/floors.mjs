// An ESLint rule: which folders of src may import which. The lists are the whole truth; nothing is exempt.
import { dirname, relative, resolve, sep } from "node:path";

/** A floor imports itself and those before it. */
const FLOORS = ["platform", "domain", "features", "app"];

/** A feature imports itself and those before it. */
const FEATURES = [
  ...["auth", "billing", "landing", "browseAs", "glossary", "languages", "ledger", "models"],
  ...["notifications", "live", "tags", "translations", "webhooks", "teams", "search"],
  ...["editor", "aitext", "exports", "offline", "speakers", "reviewLinks", "captions", "reviewing"],
  ...["uploads", "files", "processing", "account", "admin"],
];

const SOURCE = resolve(import.meta.dirname, "src");

const placeOf = (path) => {
  const [floor, room] = relative(SOURCE, path).split(sep);
  return { floor: FLOORS.indexOf(floor), feature: floor === "features" ? room : undefined };
};

/** Why one file may not import the other; undefined if it may. */
function faultOf(from, to) {
  const [a, b] = [placeOf(from), placeOf(to)];
  if (a.floor < 0) return "noFloor";
  if (b.floor < 0) return undefined;
  if (b.floor > a.floor) return "up";
  if (a.feature === undefined || b.feature === undefined) return undefined;
  if (!FEATURES.includes(a.feature)) return "noFeature";
  return FEATURES.indexOf(b.feature) > FEATURES.indexOf(a.feature) ? "later" : undefined;
}

export default {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      up: "A floor imports only itself and those below: platform, domain, features, app.",
      later: "This feature comes before the one that it imports, by the list in floors.mjs.",
      noFeature: "This feature is missing from the list in floors.mjs.",
      noFloor: "A file stands on one of the floors: platform, domain, features, app.",
    },
  },
  create(context) {
    const check = ({ source }) => {
      if (source?.type !== "Literal" || !String(source.value).startsWith(".")) return;
      const target = resolve(dirname(context.filename), source.value);
      const messageId = faultOf(context.filename, target);
      if (messageId !== undefined) context.report({ node: source, messageId });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      TSImportType: ({ source, argument }) => check({ source: source ?? argument?.literal }),
    };
  },
};
