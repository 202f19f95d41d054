import { Alert, Button, Loader } from "@mantine/core";
import { lazy, Suspense, useEffect } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { useSWRConfig } from "swr";
import {
  setActiveTeam,
  whenBrowseAsEnded,
  whenSignedOut,
  whenTeamLost,
  whenUnverified,
} from "../api/client";
import { keys } from "../api/keys";
import { forgetTeam } from "../api/rememberedTeam";
import { useSession } from "../features/auth/session";
import { t } from "../i18n/en/layouts";
import { withSentences } from "../i18n/loaded";
import { redirectFor } from "./navigation";

// Needed only after sign-in, and not for the first render.
const BrowseAsBanner = lazy(
  withSentences("others", () => import("../features/browseAs/BrowseAsBanner")),
);
const RealtimeProvider = lazy(
  withSentences("files", () => import("../features/realtime/RealtimeProvider")),
);

/** Every page passes here: the user decides whether the page shows or redirects. */
export function Guard() {
  const { user, error } = useSession();
  const { pathname } = useLocation();
  const { mutate } = useSWRConfig();

  useEffect(() => {
    let checking = false;
    whenSignedOut(() => {
      // A call that began before the session got its present cookie was refused as well, so the server says.
      if (checking) return;
      checking = true;
      void mutate(keys.user).finally(() => (checking = false));
    });
    whenBrowseAsEnded(
      () => void import("../features/browseAs/data").then((part) => part.endBrowsing()),
    );
    whenUnverified(() => void mutate(keys.user));
    whenTeamLost(() => {
      forgetTeam();
      setActiveTeam(undefined);
      // What the team showed goes from the page at once.
      void mutate((key) => key !== keys.user && key !== keys.config, undefined);
      void mutate(keys.user);
    });
  }, [mutate]);
  if (user === undefined) {
    return error === undefined ? (
      <Loader m="xl" aria-label={t("loading")} />
    ) : (
      <Alert color="red" m="lg" role="alert">
        {error.message}{" "}
        <Button size="compact-sm" onClick={() => void mutate(keys.user)}>
          {t("tryAgain")}
        </Button>
      </Alert>
    );
  }
  const target = redirectFor(pathname, user ?? undefined);
  // The key makes it navigate again when a page has moved on meanwhile, as the registration form does.
  if (target !== undefined) return <Navigate key={pathname} to={target} replace />;
  return (
    <>
      {user?.browse_as != null && (
        <Suspense fallback={null}>
          <BrowseAsBanner user={{ ...user, browse_as: user.browse_as }} />
        </Suspense>
      )}
      {user !== null && !user.must_verify_email && (
        <Suspense fallback={null}>
          <RealtimeProvider />
        </Suspense>
      )}
      <Outlet />
    </>
  );
}
