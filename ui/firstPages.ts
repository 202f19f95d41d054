/** The pages that people open first, with what they load: the build makes few chunks for these, and loads them early. */

const VISITOR = ["src/app/layouts/AuthLayout.tsx"];
const LAYOUT = "src/app/layouts/DefaultLayout.tsx";

/** Modules that pages load in one go. A chunk holds what the same of these need, so that none loads more than it uses. */
export const LOADED_TOGETHER: Record<string, readonly string[]> = {
  start: ["src/app/main.tsx"],
  landing: ["src/features/landing/LandingPage.tsx"],
  signin: [...VISITOR, "src/features/auth/LoginPage.tsx"],
  visitor: [
    "src/features/auth/RegisterPage.tsx",
    "src/features/auth/ForgotPage.tsx",
    "src/features/auth/ResetPage.tsx",
    "src/features/auth/VerificationPage.tsx",
    "src/app/layouts/ErrorRoutePage.tsx",
    "src/app/layouts/NotFoundPage.tsx",
  ],
  dashboard: [LAYOUT, "src/features/files/FilesPage.tsx"],
  later: [
    "src/app/realtime/RealtimeProvider.tsx",
    "src/app/layouts/UserMenu.tsx",
    "src/features/notifications/NotificationBell.tsx",
    "src/features/uploads/UploadArea.tsx",
  ],
  files: [
    LAYOUT,
    "src/features/files/browser/FileTools.tsx",
    "src/features/files/FileWall.tsx",
    "src/features/files/browser/SelectionBar.tsx",
    "src/features/files/projects/ProjectsPage.tsx",
    "src/features/files/bin/BinPage.tsx",
  ],
  pages: [
    LAYOUT,
    "src/features/aitext/texts/FileTexts.tsx",
    "src/features/files/CaptionsDialog.tsx",
    "src/features/files/FileMenu.tsx",
    "src/features/glossary/GlossaryPage.tsx",
    "src/features/languages/CardQuestion.tsx",
    "src/features/processing/ProcessingPage.tsx",
    "src/features/speakers/SpeakersPanel.tsx",
    "src/features/translations/TranslateDialog.tsx",
  ],
  editor: [LAYOUT, "src/features/captions/CaptionsPage.tsx"],
};

interface FirstPage {
  /** Which addresses, as a regular expression. */
  at: string;
  isSignedIn: boolean;
  modules: readonly string[];
}

const FILES = [LAYOUT, "src/features/files/FilesPage.tsx"];

/** What an address shows first. The first entry that matches counts; people who must sign in see that page. */
export const FIRST_PAGES: readonly FirstPage[] = [
  { at: "^/(dashboard|captions|login)?$", isSignedIn: true, modules: FILES },
  {
    at: "^/captions/(?!processing/)[^/]+$",
    isSignedIn: true,
    modules: [LAYOUT, "src/features/captions/CaptionsPage.tsx"],
  },
  {
    at: "^/projects$",
    isSignedIn: true,
    modules: [LAYOUT, "src/features/files/projects/ProjectsPage.tsx"],
  },
  { at: "^/$", isSignedIn: false, modules: ["src/features/landing/LandingPage.tsx"] },
  {
    at: "^/(login|dashboard|projects|captions(/.*)?)$",
    isSignedIn: false,
    modules: [...VISITOR, "src/features/auth/LoginPage.tsx"],
  },
];
