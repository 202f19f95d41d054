import { useMemo } from "react";
import { useGlossary } from "../../../domain/glossary/data";
import { TermIndex } from "../../../domain/captions/terms/TermIndex";

/** The terms that matter for captions; undefined until the glossary is here, and while it has none. */
export function useTerms(source: string, target: string | undefined): TermIndex | undefined {
  const { data } = useGlossary();
  return useMemo(() => {
    if (data === undefined) return undefined;
    const terms = new TermIndex(data, source, target);
    return terms.isEmpty ? undefined : terms;
  }, [data, source, target]);
}
