import { useEffect } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../platform/api/keys";
import { useSession } from "../../domain/person/session";
import { answersOf, keepAnswer } from "../../domain/offline/copies";
import { whenAnswered } from "../../domain/offline/lastAnswers";

interface Props {
  slug: string;
  /** The language of the captions that are shown. */
  language: string;
}

/** Keeps what the editor needs to open without a network, beside the captions, which their journal keeps. */
export function OfflineAnswers({ slug, language }: Props) {
  const { user } = useSession();
  const { cache } = useSWRConfig();
  const account = user?.browse_as == null ? user?.id : undefined;
  useEffect(() => {
    if (account === undefined) return;
    const names = new Set([
      ...[keys.user, keys.config, keys.editorSettings, keys.qualityRules],
      ...[keys.noteList(slug, language), keys.profileOf(slug, language)],
      ...answersOf(slug),
    ]);
    const keep = (name: string, answer: unknown) => {
      if (names.has(name) && answer !== undefined) void keepAnswer(account, name, answer);
    };
    for (const name of names) keep(name, cache.get(name)?.data);
    return whenAnswered(keep);
  }, [account, cache, slug, language]);
  return null;
}
