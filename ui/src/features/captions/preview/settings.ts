/** What the preview shows, remembered by the browser. */
import { useLocalStorage } from "@mantine/hooks";
import type { SafeAreaKind } from "./SafeArea";

export const useSafeArea = () =>
  useLocalStorage<SafeAreaKind>({ key: "sagascript.safeArea", defaultValue: "none" });

/** Whether captions are drawn as exports draw them, or as plain text. */
export const useExactPreview = () =>
  useLocalStorage({ key: "sagascript.exactPreview", defaultValue: true });
