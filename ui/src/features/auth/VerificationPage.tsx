import { Alert, Anchor, Button, Loader, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { Link, useParams } from "react-router";
import { useSWRConfig } from "swr";
import { api, csrfToken, unwrap } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/auth";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { useSession } from "../../domain/person/session";
import { VerificationHelp } from "./VerificationHelp";

type Outcome = { email: string } | { problem: string };

/** Confirm an address by the link from a mail; without a link, how to get one. */
export default function VerificationPage() {
  usePageTitle(t("verifyEmail"));
  const path = useParams()["*"] ?? "";
  return path === "" ? <WithoutLink /> : <WithLink key={path} path={path} />;
}

function WithLink({ path }: { path: string }) {
  const { user } = useSession();
  const { mutate } = useSWRConfig();
  const [outcome, setOutcome] = useState<Outcome>();

  useEffect(() => {
    let isCurrent = true;
    verify(path).then(
      (email) => {
        if (isCurrent) setOutcome({ email });
        void mutate(keys.user);
      },
      (error: unknown) => {
        if (isCurrent) setOutcome({ problem: (error as Error).message });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [path, mutate]);

  if (outcome === undefined) return <Loader aria-label={t("verify.running")} />;
  if ("email" in outcome) {
    return (
      <Stack gap="md">
        <Title order={1}>{t("verify.done")}</Title>
        <Text role="status">
          {t.rich("verify.doneAbout", {
            email: outcome.email,
            b: (parts) => <strong>{parts}</strong>,
          })}
        </Text>
        <Button component={Link} to={user ? "/dashboard" : "/login"} size="md">
          {user ? t("continue") : t("signIn")}
        </Button>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <Title order={1}>{t("link.broken")}</Title>
      <Alert color="red" role="alert">
        {outcome.problem}
      </Alert>
      {user ? <VerificationHelp user={user} /> : <SignInFirst />}
    </Stack>
  );
}

function WithoutLink() {
  const { user } = useSession();
  if (!user) {
    return (
      <Stack gap="md">
        <Title order={1}>{t("verify.title")}</Title>
        <SignInFirst />
      </Stack>
    );
  }
  if (user.email_verified && user.pending_email === null) {
    return (
      <Stack gap="md">
        <Title order={1}>{t("verify.done")}</Title>
        <Text>
          {t.rich("verify.doneAbout", {
            email: user.email,
            b: (parts) => <strong>{parts}</strong>,
          })}
        </Text>
        <Button component={Link} to="/dashboard" size="md">
          {t("continue")}
        </Button>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <Title order={1}>{t("verify.title")}</Title>
      <Text>
        {t.rich("verify.sentTo.open", {
          email: user.pending_email ?? user.email,
          b: (parts) => <strong>{parts}</strong>,
        })}
      </Text>
      <VerificationHelp user={user} />
    </Stack>
  );
}

function SignInFirst() {
  return (
    <Text>
      {t.rich("verify.signIn", {
        link: (parts) => (
          <Anchor component={Link} to="/login">
            {parts}
          </Anchor>
        ),
      })}
    </Text>
  );
}

async function verify(path: string): Promise<string> {
  const [id = "", ...rest] = path.split("/");
  await csrfToken();
  const body = { id, hash: rest.join("/") };
  return (await unwrap(api.POST("/api/email/verify", { body }))).data.email;
}
