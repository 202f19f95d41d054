import { createTheme, type MantineColorsTuple } from "@mantine/core";
import { t } from "../messages/shell";

/** Deep spruce: the one accent. Steps run from near white to near black as Mantine expects. */
const spruce: MantineColorsTuple = [
  "#eef6f4",
  "#dcece8",
  "#b5d8d1",
  "#8ac3b9",
  "#64afa3",
  "#459a8d",
  "#2b7d70",
  "#22705f",
  "#1d5f54",
  "#143f39",
];

/** Amber marks only what is happening now: the playhead and the line being transcribed. */
const amber: MantineColorsTuple = [
  "#fdf5e8",
  "#f9e7cb",
  "#f2cf98",
  "#ebb562",
  "#e49f3a",
  "#d68a22",
  "#b87116",
  "#955a12",
  "#734611",
  "#4c2f0d",
];

/** Mantine's, with fills on which white text has a contrast of 4.5 in both schemes. */
const red: MantineColorsTuple = [
  "#fff5f5",
  "#ffe3e3",
  "#ffc9c9",
  "#ffa8a8",
  "#ff8787",
  "#ff6b6b",
  "#e03131",
  "#e03131",
  "#c92a2a",
  "#b02525",
];

/** The dark scheme's greys are tinted with the accent, so that surfaces and borders match. */
const dark: MantineColorsTuple = [
  "#e6ebe9",
  "#c3cbc8",
  "#98a5a1",
  "#66736f",
  "#3a4442",
  "#2c3533",
  "#212827",
  "#191f1e",
  "#111615",
  "#0b0f0e",
];

/** Alerts have the same colours as badges and notices. */
const ALERTS: Record<string, string> = {
  red: "danger",
  yellow: "warn",
  teal: "success",
  blue: "info",
  gray: "secondary",
};

export const theme = createTheme({
  primaryColor: "spruce",
  primaryShade: { light: 7, dark: 6 },
  colors: { spruce, amber, red, dark },
  defaultRadius: "md",
  radius: { xs: "4px", sm: "6px", md: "9px", lg: "14px", xl: "22px" },
  fontFamily: "var(--font-ui)",
  fontFamilyMonospace: "var(--font-mono)",
  headings: {
    fontFamily: "var(--font-display)",
    fontWeight: "500",
    sizes: {
      h1: { fontSize: "clamp(1.6rem, 1.3rem + 1vw, 2.1rem)", lineHeight: "1.15" },
      h2: { fontSize: "1.35rem", lineHeight: "1.25" },
      h3: { fontSize: "1.1rem", lineHeight: "1.3" },
    },
  },
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  components: {
    Alert: {
      defaultProps: { radius: "md" },
      // Its own is 16 px large.
      styles: { closeButton: { "--cb-size": "var(--cb-size-lg)", "--cb-icon-size": "1rem" } },
      vars: (_theme: unknown, { color }: { color?: string }) => {
        const severity = ALERTS[color ?? "blue"] ?? "info";
        return {
          root: {
            "--alert-bg": `var(--${severity}-soft)`,
            "--alert-color": `var(--${severity})`,
            "--alert-bd": "none",
          },
        };
      },
    },
    // Colour alone does not make a link in a sentence.
    Anchor: { defaultProps: { underline: "always" } },
    Badge: {
      defaultProps: { variant: "light" },
      vars: (_theme: unknown, { color }: { color?: string }) => {
        const severity = ALERTS[color ?? ""];
        if (severity === undefined) return { root: {} };
        return {
          root: { "--badge-bg": `var(--${severity}-soft)`, "--badge-color": `var(--${severity})` },
        };
      },
    },
    Button: { defaultProps: { fw: 550 } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: "lg",
        overlayProps: { backgroundOpacity: 0.45, blur: 2 },
        transitionProps: { transition: "pop", duration: 140 },
        closeButtonProps: { "aria-label": t("page.close"), size: "lg" },
      },
    },
    Drawer: { defaultProps: { closeButtonProps: { "aria-label": t("page.close"), size: "lg" } } },
    // Mantine's 22 px are too small for a finger. The cross stays as large as the text beside it.
    CloseButton: { defaultProps: { size: "lg", iconSize: "1rem" } },
    // A <header> in a dialog would be a second banner of the page.
    ModalHeader: { defaultProps: { component: "div" } },
    Menu: {
      defaultProps: {
        radius: "md",
        shadow: "md",
        transitionProps: { transition: "pop-top-right", duration: 110 },
      },
    },
    // The switch of a password is a control like any other: the keyboard reaches it.
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { "aria-label": t("page.togglePassword") },
      },
    },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: false, radius: "sm" } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
  },
});
