import { Avatar, Button, FileButton, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useEffect, useState, type FormEvent } from "react";
import { useSWRConfig } from "swr";
import { type ApiError } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/account";
import { ACCOUNT_LOCALES } from "../../platform/i18n/locale";
import { matchLocale } from "../../domain/person/switchLocale";
import { toast } from "../../platform/notices/toast";
import { INFO_NOT_SAVED, INFO_SAVED, problemOf, saveProfile, type User } from "./data";
import { EmailSection } from "./EmailSection";
import styles from "./account.module.css";

const PICTURES = "image/jpeg,image/png,image/webp,image/gif";

/** Name, picture, language of mails, and the address. */
export function ProfileSection({ user }: { user: User }) {
  const { mutate } = useSWRConfig();
  const [name, setName] = useState(user.name);
  const [locale, setLocale] = useState(user.locale);
  const [picture, setPicture] = useState<File | null>();
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const shown = usePreview(picture) ?? (picture === null ? null : user.avatar_url);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const saved = await saveProfile({ name, locale, picture });
      setPicture(undefined);
      setName(saved.name);
      await mutate(keys.user, saved, { revalidate: false });
      matchLocale(saved);
      toast("success", INFO_SAVED);
    } catch (error) {
      setProblem(problemOf(error, INFO_NOT_SAVED));
    } finally {
      setBusy(false);
    }
  };
  const unnamed = problem !== undefined && !problem.fields.name && !problem.fields.img;
  return (
    <div className={styles.cards}>
      <form
        className={`card ${styles.card}`}
        aria-label={t("profile")}
        onSubmit={(event) => void save(event)}
        noValidate
      >
        <Group gap="lg">
          <Avatar size={84} src={shown} name={name} color="spruce" alt={t("yourPicture")} />
          <div>
            <Group gap="xs">
              <FileButton accept={PICTURES} onChange={(file) => file && setPicture(file)}>
                {(props) => (
                  <Button variant="default" size="xs" {...props}>
                    {t("picture.choose")}
                  </Button>
                )}
              </FileButton>
              {shown !== null && (
                <Button variant="subtle" color="red" size="xs" onClick={() => setPicture(null)}>
                  {t("remove")}
                </Button>
              )}
            </Group>
            <Text size="sm" className="quiet" mt={6}>
              {t("picture.about")}
            </Text>
            {problem?.fields.img !== undefined && (
              <Text size="sm" className="danger-text" role="alert" mt={4}>
                {problem.fields.img[0]}
              </Text>
            )}
          </div>
        </Group>
        <TextInput
          name="name"
          label={t("name")}
          autoComplete="name"
          value={name}
          error={problem?.fields.name?.[0]}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          name="locale"
          label={t("locale.label")}
          data={ACCOUNT_LOCALES.map(({ value, label }) => ({ value, label }))}
          value={locale}
          onChange={(event) => setLocale(event.currentTarget.value)}
        />
        {unnamed && (
          <Text className="danger-text" role="alert">
            {problem.message}
          </Text>
        )}
        <div>
          <Button type="submit" loading={busy}>
            {t("save")}
          </Button>
        </div>
      </form>
      <EmailSection user={user} />
    </div>
  );
}

/** An address under which the chosen file can be shown. */
function usePreview(picture: File | null | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!picture) {
      setUrl(undefined);
      return;
    }
    const made = URL.createObjectURL(picture);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return url;
}
