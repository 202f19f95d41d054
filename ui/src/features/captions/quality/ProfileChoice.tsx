import { Button, NativeSelect } from "@mantine/core";
import { Suspense, useState } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/quality";
import { locale } from "../../../platform/i18n/locale";
import type { MediaFile } from "../../../domain/files/data";
import { toast } from "../../../platform/notices/toast";
import { chooseProfile, useChosenProfile, useProfiles } from "./data";
import type { Profile } from "../../../domain/captions/quality/types";
import styles from "./quality.module.css";
import { part } from "../../../platform/failure/Later";

const ProfilesDialog = part(() => import("./ProfilesDialog"));

interface Props {
  file: MediaFile;
  language: string;
  readOnly: boolean;
}

const listed = (parts: string[]): string =>
  new Intl.ListFormat(locale, { type: "conjunction" }).format(parts);

/** Where the numbers of a profile come from, and which of them are our own choice. */
function described({ limits }: Profile): string {
  if (limits.source === "") return "";
  const from = t("follows", { source: limits.source });
  const chosen = limits.ours.map((limit) => t(`ours.${limit}`));
  return chosen.length === 0 ? from : `${from} ${t("oursAre", { limits: listed(chosen) })}`;
}

/** The profile that these captions are judged by, and the way to one's own profiles. */
export function ProfileChoice({ file, language, readOnly }: Props) {
  const { data: profiles = [] } = useProfiles();
  const { data: choice } = useChosenProfile(file.slug, language);
  const { mutate } = useSWRConfig();
  const [isManaging, setManaging] = useState(false);
  const inForce = profiles.find(({ id }) => id === choice?.profile);
  const named = (id: string) => profiles.find((one) => one.id === id)?.limits.name ?? id;

  const choose = async (profile: string) => {
    try {
      const chosen = await chooseProfile(file.slug, language, profile === "" ? null : profile);
      await mutate(keys.profileOf(file.slug, language), chosen, { revalidate: false });
    } catch (error) {
      toast("error", (error as Error).message);
    }
  };
  const options = (isOwn: boolean) =>
    profiles
      .filter(({ scope }) => (scope !== "built_in") === isOwn)
      .map(({ id, limits }) => ({ value: id, label: limits.name }));
  const own = options(true);
  return (
    <div className={styles.profile}>
      <NativeSelect
        label={t("profile")}
        description={inForce && described(inForce)}
        inputWrapperOrder={["label", "input", "description"]}
        disabled={readOnly || choice === undefined}
        value={choice?.chosen ?? ""}
        data-testid="quality-profile"
        data={[
          {
            value: "",
            label:
              choice?.chosen == null && choice !== undefined
                ? t("byLanguageIs", { name: named(choice.profile) })
                : t("byLanguage"),
          },
          ...(own.length > 0 ? [{ group: t("own"), items: own }] : []),
          { group: t("builtIn"), items: options(false) },
        ]}
        onChange={(event) => void choose(event.currentTarget.value)}
      />
      <Button
        size="compact-sm"
        variant="subtle"
        data-testid="own-profiles"
        onClick={() => setManaging(true)}
      >
        {t("manage")}
      </Button>
      <Suspense fallback={null}>
        {isManaging && <ProfilesDialog like={inForce} onClose={() => setManaging(false)} />}
      </Suspense>
    </div>
  );
}
