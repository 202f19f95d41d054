import { Alert, Button, Loader, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useEffect, useState, type FormEvent } from "react";
import { useSession } from "../../domain/person/session";
import { t } from "../../platform/messages/reviewLinks";
import { enterReview, openLink, type Invitation } from "./data";

const NAME_MAX = 80;
const ABOUT: Record<Invitation["rights"], string> = {
  view: t("entry.view"),
  comment: t("entry.comment"),
  edit: t("entry.edit"),
};

interface Props {
  id: string;
  /** What the link has behind its `#`. */
  secret: string;
  onEntered: () => void;
}

/** Asks who reviews, and for the password where the link has one. */
export function EntryForm({ id, secret, onEntered }: Props) {
  const { user } = useSession();
  const [invitation, setInvitation] = useState<Invitation>();
  const [closed, setClosed] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [name, setName] = useState(user?.name.slice(0, NAME_MAX) ?? "");
  const [password, setPassword] = useState("");
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    let isGone = false;
    openLink(id, secret).then(
      (found) => !isGone && setInvitation(found),
      (error: unknown) => !isGone && setClosed((error as Error).message),
    );
    return () => {
      isGone = true;
    };
  }, [id, secret]);

  if (closed !== undefined)
    return (
      <>
        <Title order={1}>{t("page.closed")}</Title>
        <Alert color="yellow" role="alert">
          {closed}
        </Alert>
      </>
    );
  if (invitation === undefined) return <Loader aria-label={t("page.loading")} />;

  const enter = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await enterReview(id, { secret, name: name.trim(), password: password || null });
      onEntered();
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void enter(event)}>
      <Stack gap="md">
        <div>
          <Title order={1}>
            {invitation.file === null
              ? t("entry.titleLocked")
              : t("entry.title", { file: invitation.file })}
          </Title>
          <Text className="quiet">
            {t("entry.from", { by: invitation.by })} {ABOUT[invitation.rights]}
          </Text>
        </div>
        <TextInput
          label={t("entry.name")}
          description={t("entry.nameAbout")}
          value={name}
          maxLength={NAME_MAX}
          autoComplete="name"
          autoFocus
          required
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {invitation.needs_password && (
          <PasswordInput
            label={t("entry.password")}
            value={password}
            autoComplete="off"
            required
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
        {problem !== undefined && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Button
          type="submit"
          size="md"
          loading={isBusy}
          disabled={name.trim() === "" || (invitation.needs_password && password === "")}
        >
          {t("entry.enter")}
        </Button>
      </Stack>
    </form>
  );
}
