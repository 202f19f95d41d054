// The JavaScript that a page needs before it shows, gzipped: its chunk, its layout and all that they
// import. Menus, realtime events and the uploader come after the first paint and are not counted.
// Reads dist/manifest.json, so it runs after a build.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const BYTES_MAX = 160_000;
const PAGES = {
  landing: ["src/features/landing/LandingPage.tsx"],
  "sign-in": ["src/app/layouts/AuthLayout.tsx", "src/features/auth/LoginPage.tsx"],
  dashboard: ["src/app/layouts/DefaultLayout.tsx", "src/features/files/FilesPage.tsx"],
};
// As `src/platform/i18n/loaded.ts` has them.
const CATALOGUES = {
  landing: ["shell", "landing"],
  "sign-in": ["shell", "auth"],
  dashboard: ["shell", "files"],
};

const manifest = JSON.parse(readFileSync("dist/manifest.json", "utf8"));

function filesOf(entries) {
  const seen = new Set();
  const visit = (name) => {
    if (seen.has(name)) return;
    if (manifest[name] === undefined) throw new Error(`The build has no chunk for ${name}.`);
    seen.add(name);
    for (const other of manifest[name].imports ?? []) visit(other);
  };
  entries.forEach(visit);
  return [...new Set([...seen].map((name) => manifest[name].file))];
}

const weights = new Map();
function weigh(file) {
  const known = weights.get(file);
  if (known !== undefined) return known;
  const bytes = gzipSync(readFileSync(`dist/${file}`), { level: 6 }).length;
  weights.set(file, bytes);
  return bytes;
}

let isHeavy = false;
for (const [page, chunks] of Object.entries(PAGES)) {
  for (const language of ["English", "Icelandic"]) {
    const catalogue =
      language === "English"
        ? []
        : CATALOGUES[page].map((name) => `src/platform/messages/is/${name}.json`);
    const files = filesOf(["index.html", ...chunks, ...catalogue]);
    const bytes = files.reduce((sum, file) => sum + weigh(file), 0);
    if (process.argv.includes("--list") || bytes > BYTES_MAX) {
      console.log(`${page}, ${language}: ${(bytes / 1000).toFixed(1)} kB in ${files.length} files`);
      if (process.argv.includes("--files"))
        for (const file of files.sort((a, b) => weigh(b) - weigh(a)))
          console.log(`  ${weigh(file)} ${file}`);
    }
    isHeavy ||= bytes > BYTES_MAX;
  }
}
if (isHeavy) {
  console.error(
    `The first load of a page may weigh ${BYTES_MAX / 1000} kB gzipped. Load what it does not need later: import().`,
  );
  process.exit(1);
}
