/** Profiles, rules and reports on the server. */
import { useMemo } from "react";
import useSWR, { useSWRConfig } from "swr";
import { api, unwrap } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";
import { locale } from "../../../platform/i18n/locale";
import type {
  Limits,
  Profile,
  Report,
  Rule,
  Rules,
  Severity,
  Texts,
  Values,
} from "../../../domain/captions/quality/types";

const FIXED = { revalidateOnFocus: false, revalidateIfStale: false };

export const useRules = (): Rules | undefined =>
  useSWR<Rules, Error>(
    keys.qualityRules,
    async () => (await unwrap(api.GET("/api/captions/quality-rules"))).data,
    FIXED,
  ).data;

export const useProfiles = () =>
  useSWR<Profile[], Error>(
    keys.qualityProfiles,
    async () => (await unwrap(api.GET("/api/captions/profiles"))).data,
    { revalidateOnFocus: false },
  );

interface Chosen {
  /** Null where the language decides. */
  chosen: string | null;
  /** The profile in force. */
  profile: string;
}

/** The profile that the captions in a language are judged by; none while `isBegun` says that they are being made. */
export const useChosenProfile = (slug: string, language: string, isBegun = false) =>
  useSWR<Chosen, Error>(
    isBegun ? null : keys.profileOf(slug, language),
    async () => {
      const params = { path: { key: slug }, query: { language } };
      return (await unwrap(api.GET("/api/files/captions/{key}/profile", { params }))).data;
    },
    { revalidateOnFocus: false },
  );

export async function chooseProfile(
  slug: string,
  language: string,
  profile: string | null,
): Promise<Chosen> {
  const params = { path: { key: slug } };
  const body = { language, profile };
  return (await unwrap(api.PUT("/api/files/captions/{key}/profile", { params, body }))).data;
}

/** The findings; with a rule, `changes` and `removed` are the safe fixes of that rule alone. */
export async function fetchReport(slug: string, language: string, rule?: Rule): Promise<Report> {
  const params = { path: { key: slug }, query: { language, ...(rule && { rule }) } };
  return (await unwrap(api.GET("/api/files/captions/{key}/quality", { params }))).data;
}

export async function recut(slug: string, language: string, issued: number): Promise<void> {
  const params = { path: { key: slug } };
  await unwrap(api.POST("/api/files/captions/{key}/recut", { params, body: { issued, language } }));
}

export const reportUrl = (slug: string, language: string): string =>
  `/api/files/captions/${slug}/quality.csv?language=${encodeURIComponent(language)}&in=${locale}`;

/** Add, change and delete profiles of one's own; the list follows. */
export function useProfileChanges() {
  const { mutate } = useSWRConfig();
  return useMemo(() => {
    const again = () => mutate(keys.qualityProfiles);
    return {
      add: async (limits: Limits): Promise<Profile> => {
        const { data } = await unwrap(api.POST("/api/captions/profiles", { body: limits }));
        await again();
        return data;
      },
      change: async (profile_id: string, limits: Limits): Promise<void> => {
        const params = { path: { profile_id } };
        await unwrap(api.PUT("/api/captions/profiles/{profile_id}", { params, body: limits }));
        await again();
      },
      remove: async (profile_id: string): Promise<void> => {
        await unwrap(
          api.DELETE("/api/captions/profiles/{profile_id}", { params: { path: { profile_id } } }),
        );
        await again();
      },
    };
  }, [mutate]);
}

/** What the server says about findings, in the language of the page. */
export const textsOf = (rules: Rules): Texts | undefined =>
  rules.texts[locale] ?? rules.texts["en"];

const PLACE = /\{([a-z]+)\}/g;

/** A sentence of the server with its values. */
export const filled = (template: string | undefined, values: Values): string =>
  (template ?? "").replace(PLACE, (_, name: string) => {
    const value = values[name] ?? "";
    return typeof value === "number" && locale === "is"
      ? String(value).replace(".", ",")
      : String(value);
  });

export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];
