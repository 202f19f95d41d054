import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** Deep spruce: the one accent. Steps run from near white to near black as Mantine expects. */
const spruce: MantineColorsTuple = [
  "#eef7f5",
  "#d9ebe8",
  "#b0d7d1",
  "#84c2b9",
  "#5faea4",
  "#459f94",
  "#2f8a80",
  "#237068",
  "#1f5f5b",
  "#154643",
];

export const theme = createTheme({
  primaryColor: "spruce",
  primaryShade: { light: 7, dark: 5 },
  colors: { spruce },
  defaultRadius: "md",
  fontFamily: "'Inter', 'Segoe UI', system-ui, -apple-system, Roboto, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "'JetBrains Mono', ui-monospace, 'SF Mono', Menlo, Consolas, monospace",
  headings: {
    fontWeight: "650",
    sizes: { h1: { fontSize: "1.65rem" }, h2: { fontSize: "1.2rem" } },
  },
  cursorType: "pointer",
  respectReducedMotion: true,
});

/** Toasts live this long (the specification's 3000 ms). */
export const TOAST_MS = 3000;
