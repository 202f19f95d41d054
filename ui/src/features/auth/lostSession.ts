import { useEffect, useState } from "react";
import { t } from "../../platform/messages/auth";
import { hasUnsavedOf } from "../../domain/person/handover";

/** What to say to somebody whose session ended here; undefined for others, and until it is known. */
export function useLostSession(whose: string | undefined): string | undefined {
  const [sentence, setSentence] = useState<string>();
  useEffect(() => {
    if (whose === undefined) return;
    let isOver = false;
    const look = async () => {
      const isKept = await hasUnsavedOf(whose);
      if (!isOver) setSentence(isKept ? t("signOut.kept") : t("signOut.done"));
    };
    look().catch(() => setSentence(t("signOut.done")));
    return () => {
      isOver = true;
    };
  }, [whose]);
  return sentence;
}
