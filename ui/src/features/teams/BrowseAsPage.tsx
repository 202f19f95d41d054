import { Alert, Button, Group, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { Navigate, useNavigate, useParams } from "react-router";
import { useSWRConfig } from "swr";
import { api, csrfToken, setActiveTeam, unwrap } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { forgetTeam } from "../../domain/person/rememberedTeam";
import { t } from "../../platform/messages/teams";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { useSession } from "../../domain/person/session";
import styles from "./teams.module.css";

const PREFIX = "browseas-";

/** `/teams/browseas-{id}`: an administrator opens the teams of an account, and says why. */
export default function BrowseAsPage() {
  usePageTitle(t("teams"));
  const { browseAs = "" } = useParams();
  const { user } = useSession();
  if (user?.browse_as != null) return <Navigate to="/teams" replace />;
  if (user?.is_admin !== true) return <Navigate to="/dashboard" replace />;
  return <ReasonForm id={browseAs.slice(PREFIX.length)} />;
}

function ReasonForm({ id }: { id: string }) {
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const config = usePublicConfig();
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const start = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await unwrap(api.POST("/api/browse-as", { body: { id, reason } }));
      await csrfToken(true);
      // The team was the administrator's own choice.
      forgetTeam();
      setActiveTeam(undefined);
      await mutate((key) => key !== keys.config, undefined);
      await navigate("/teams", { replace: true });
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void start(event)} className={styles.page} noValidate>
      <header>
        <Title order={1}>{t("support.title")}</Title>
        <p className="quiet">{t("support.about")}</p>
      </header>
      {problem !== undefined && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <TextInput
        label={t("reason")}
        placeholder={t("support.reasonHint")}
        maxLength={config?.text_limits.reason}
        maw={520}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Group>
        <Button
          type="submit"
          loading={busy}
          disabled={reason.trim().length < (config?.reason_min ?? 1)}
        >
          {t("support.start")}
        </Button>
      </Group>
    </form>
  );
}
