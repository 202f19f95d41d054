import { useEffect } from "react";
import useSWR from "swr";
import { keys } from "../../api/keys";
import { useSession } from "../auth/session";
import { answersOf, keepAnswer } from "./copies";

interface Props {
  slug: string;
  /** The language of the captions that are shown. */
  language: string;
}

/** Keeps what the editor needs to open without a network, beside the captions, which their journal keeps. */
export function KeptAnswers({ slug, language }: Props) {
  const { user } = useSession();
  if (user == null || user.browse_as != null) return null;
  const all = [
    ...[keys.user, keys.config, keys.editorSettings, keys.qualityRules],
    ...[keys.noteList(slug, language), keys.profileOf(slug, language)],
    ...answersOf(slug),
  ];
  return all.map((key) => <KeptAnswer key={key} account={user.id} name={key} />);
}

function KeptAnswer({ account, name }: { account: string; name: string }) {
  const { data } = useSWR<unknown>(name, null);
  useEffect(() => {
    if (data !== undefined) void keepAnswer(account, name, data);
  }, [account, name, data]);
  return null;
}
