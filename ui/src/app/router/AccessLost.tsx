import { Alert, Anchor, Button, Group, Stack, Title } from "@mantine/core";
import { Suspense } from "react";
import { Link, matchPath } from "react-router";
import { useSignOut } from "../../domain/person/useSignOut";
import type { User } from "../../domain/person/session";
import { t } from "../../platform/messages/teams";
import { t as l } from "../../platform/messages/shell";
import { Brand } from "../../platform/page/Brand";
import { part } from "../../platform/failure/Later";
import { PaneBoundary } from "../../platform/failure/PaneBoundary";
import type { AccessLoss } from "./accessLoss";
import styles from "./accessLost.module.css";

const LeftText = part(async () => ({
  default: (await import("../../features/offline/LeftText")).LeftText,
}));

/** In the place of a page that somebody may no longer open: why, what they wrote, and where they can go. */
export function AccessLost({
  loss,
  user,
  next,
}: {
  loss: AccessLoss;
  user: User;
  /** The page of plans. */
  next: string;
}) {
  const { signOut, dialog } = useSignOut();
  const slug = matchPath("/captions/:slug", loss.at)?.params.slug;
  return (
    <main className={styles.lost} data-testid="access-lost">
      <Brand />
      <Stack gap="md" mt="xl">
        <Title order={1}>{t("accessLoss.cannotOpen")}</Title>
        <p role="alert">
          {loss.teams.length > 0
            ? t("accessLoss.leftTeam", { count: loss.teams.length, teams: loss.teams.join(", ") })
            : t("accessLoss.planEnded")}{" "}
          {t("accessLoss.yourAccountStays")}
        </p>
        {slug !== undefined && (
          <PaneBoundary name={l("page.thisPage")} at={slug}>
            <Suspense fallback={null}>
              <LeftText slug={slug} name={slug} language={undefined} />
            </Suspense>
          </PaneBoundary>
        )}
        <Group>
          <Button component={Link} to={next}>
            {t("accessLoss.seePlans")}
          </Button>
          <Button component={Link} to="/settings" variant="default">
            {l("page.settings")}
          </Button>
          {user.is_admin && (
            <Button component={Link} to="/admin" variant="default">
              {l("page.admin")}
            </Button>
          )}
          <Anchor component="button" type="button" onClick={signOut}>
            {l("page.signOut")}
          </Anchor>
        </Group>
      </Stack>
      {dialog}
    </main>
  );
}

/** Over a page that stays open: a team is gone, and with it its files. */
export function TeamLost({ loss, onClose }: { loss: AccessLoss; onClose: () => void }) {
  return (
    <Alert
      color="yellow"
      role="status"
      radius={0}
      withCloseButton
      closeButtonLabel={l("page.close")}
      onClose={onClose}
      data-testid="team-lost"
    >
      {t("accessLoss.leftTeam", { count: loss.teams.length, teams: loss.teams.join(", ") })}
    </Alert>
  );
}
