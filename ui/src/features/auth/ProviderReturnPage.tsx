import { Alert, Anchor, Button, Loader, Stack, Text, Title } from "@mantine/core";
import { useContext, useEffect, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { ApiError } from "../../platform/api/client";
import { t } from "../../platform/messages/auth";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { toast } from "../../platform/notices/toast";
import {
  giveProof,
  takeAnswer,
  takeReturning,
  useProviders,
  type SignInResult,
} from "../../domain/person/provider";
import { useSession } from "../../domain/person/session";
import { KnownPages, placeAfterSignIn } from "../../domain/person/signIn";
import { AuthForm, type Field } from "./AuthForm";

const PASSWORD: Field[] = [
  { name: "password", label: t("password"), type: "password", autoComplete: "current-password" },
];
const CODE: Field[] = [
  { name: "code", label: t("code"), type: "text", autoComplete: "one-time-code" },
];

/** Where an identity provider sends the browser back to. */
export default function ProviderReturnPage() {
  usePageTitle(t("login"));
  const { provider = "" } = useParams();
  const [query] = useState(() => new URLSearchParams(window.location.search));
  const { data: providers } = useProviders();
  const name = providers?.find(({ slug }) => slug === provider)?.name ?? provider;
  const isKnownPage = useContext(KnownPages);
  const { enter } = useSession();
  const navigate = useNavigate();
  const [result, setResult] = useState<SignInResult>();
  const [problem, setProblem] = useState<string>();
  const [needsCode, setNeedsCode] = useState(false);

  const goOn = async (next: SignInResult) => {
    setResult(next);
    if (next.user == null) return;
    const { notice, ...returning } = takeReturning();
    await enter(next.user);
    await navigate(placeAfterSignIn(returning, next.user.id, isKnownPage), { replace: true });
    if (notice !== undefined) toast("success", notice);
  };

  useEffect(() => {
    // The code is used up; it need not stay in the history.
    window.history.replaceState(window.history.state, "", window.location.pathname);
    let isCurrent = true;
    takeAnswer(provider, query).then(
      (next) => {
        if (isCurrent) void goOn(next);
      },
      (error: unknown) => {
        if (isCurrent) setProblem((error as Error).message);
      },
    );
    return () => {
      isCurrent = false;
    };
    // Each visit brings one answer.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [provider, query]);

  if (problem !== undefined) return <NotSignedIn problem={problem} />;
  if (result?.step === "password")
    return (
      <AuthForm
        title={t("provider.linkTitle")}
        subtitle={t.rich("provider.linkAbout", {
          email: result.email ?? "",
          name,
          b: (parts) => <strong>{parts}</strong>,
        })}
        fields={needsCode ? [...PASSWORD, ...CODE] : PASSWORD}
        action={t("provider.link")}
        other={{ text: t("reset.changedMind"), label: t("signIn"), to: "/login" }}
        onSubmit={async ({ password = "", code = "" }) => {
          const body = { token: result.token ?? "", password, code, restore: false };
          try {
            await goOn(await giveProof(provider, body));
          } catch (error) {
            if (error instanceof ApiError && error.code === "code_needed") setNeedsCode(true);
            throw error;
          }
        }}
      >
        <Anchor component={Link} to="/reset/password" size="sm">
          {t("forgot.title")}
        </Anchor>
      </AuthForm>
    );
  if (result?.step === "restore")
    return (
      <AuthForm
        title={t("provider.restoreTitle")}
        subtitle={t.rich("provider.restoreAbout", {
          email: result.email ?? "",
          b: (parts) => <strong>{parts}</strong>,
        })}
        fields={[]}
        action={t("restore.submit")}
        other={{ text: t("reset.changedMind"), label: t("signIn"), to: "/login" }}
        onSubmit={async () =>
          goOn(await giveProof(provider, { token: result.token ?? "", restore: true }))
        }
      />
    );
  return <Loader aria-label={t("provider.running")} />;
}

function NotSignedIn({ problem }: { problem: string }) {
  const { user } = useSession();
  return (
    <Stack gap="md">
      <Title order={1}>{t("provider.failed")}</Title>
      <Alert color="red" role="alert">
        <Text>{problem}</Text>
      </Alert>
      <Button component={Link} to={user ? "/settings?section=password" : "/login"} size="md">
        {user ? t("provider.toSettings") : t("provider.toSignIn")}
      </Button>
    </Stack>
  );
}
