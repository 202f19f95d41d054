import { t } from "../../platform/messages/models";
import type { Model } from "./data";

/** A loaded speech model, for tests. */
export function exampleModel(changes: Partial<Model> = {}): Model {
  return {
    task: "transcription",
    title: t("speechRecognition"),
    state: "ready",
    sentence: null,
    engine: "whisper",
    label: "Whisper",
    note: null,
    licence: null,
    languages: [],
    pairs: null,
    text_types: [],
    only_selects: false,
    detects_language: false,
    word_times: "none",
    takes_vocabulary: false,
    punctuates: true,
    takes_temperature: false,
    token_limit: null,
    window_ms: null,
    by_language: [],
    fetch: null,
    ...changes,
  };
}
