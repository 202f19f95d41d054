import type { HtmlTagDescriptor, Plugin } from "vite";

/** The fonts of every page, in the letters that most languages need. */
const FIRST = /(inter|newsreader)-latin-wght-normal-[^/]*\.woff2$/;

/**
 * A font that comes after the page has been drawn is used from the next page on. Swapped in, it would move what somebody
 * is about to click. So that it seldom comes late, the browser learns of it from the first line of the page.
 */
export function steadyFonts(): Plugin {
  return {
    name: "steady-fonts",
    config: () => ({ css: { postcss: { plugins: [noSwap] } } }),
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle, path }) =>
        bundle !== undefined && path === "/index.html" ? preloads(bundle) : [],
    },
  };
}

const noSwap = {
  postcssPlugin: "no-swap",
  Declaration: {
    "font-display": (declaration: { value: string }) => {
      declaration.value = "optional";
    },
  },
};

function preloads(bundle: object): HtmlTagDescriptor[] {
  const files = Object.keys(bundle).filter((file) => FIRST.test(file));
  if (files.length !== 2) throw new Error(`The build has not the first two fonts but: ${files}.`);
  return files.map((file) => ({
    tag: "link",
    attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `/${file}` },
    injectTo: "head",
  }));
}
