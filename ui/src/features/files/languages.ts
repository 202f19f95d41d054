import { usePublicConfig } from "../../api/publicConfig";

interface Group {
  group: string;
  items: { value: string; label: string }[];
}

/** The languages of the server in two groups: the regional list, and all others. */
export function useLanguages(): { groups: Group[]; label: (code: string) => string } {
  const languages = usePublicConfig()?.languages ?? [];
  const regional = languages.filter((language) => language.country !== null);
  const seen = new Set(regional.map((language) => language.value));
  const others = languages.filter((language) => !seen.has(language.value));
  const items = (list: typeof languages) => list.map(({ value, label }) => ({ value, label }));
  return {
    groups: [
      { group: "Regional", items: items(regional) },
      { group: "All languages", items: items(others) },
    ],
    label: (code) => languages.find((language) => language.value === code)?.label ?? "Unknown",
  };
}
