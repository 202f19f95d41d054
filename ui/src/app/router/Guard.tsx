import { Alert, Button, Loader } from "@mantine/core";
import { Suspense, useContext, useEffect, useState } from "react";
import { Navigate, Outlet, useLocation, type Location } from "react-router";
import { useSWRConfig } from "swr";
import {
  setActiveTeam,
  whenBrowseAsEnded,
  whenSignedOut,
  whenStepUpNeeded,
  whenTeamLost,
  whenUnverified,
} from "../../platform/api/client";
import { isPersonal, keys } from "../../platform/api/keys";
import { forgetTeam } from "../../domain/person/rememberedTeam";
import { sealAtSessionEnd } from "../../domain/person/handover";
import { useSession, type User } from "../../domain/person/session";
import { lastAccount, rememberedAccount } from "../../platform/offline/account";
import { t } from "../../platform/messages/shell";
import { lossBetween, type AccessLoss } from "./accessLoss";
import { redirectFor } from "../../domain/person/navigation";
import { KnownPages, placeAfterSignIn, type SignInState } from "../../domain/person/signIn";
import { later, part } from "../../platform/failure/Later";

// Needed only after sign-in, and not for the first render.
const BrowseAsBanner = part(() => import("../../features/browseAs/BrowseAsBanner"));
const RealtimeProvider = later(() => import("../realtime/RealtimeProvider"));
const AccessLost = part(async () => ({ default: (await import("./AccessLost")).AccessLost }));
const StepUpDialog = part(() => import("../../features/account/StepUpDialog"));
const TeamLost = part(async () => ({ default: (await import("./AccessLost")).TeamLost }));

/** Where to go, and what to take along: whoever has to sign in comes back to where they were. */
function wayTo(
  target: string,
  { pathname, search, hash, state }: Location,
  user: User | null,
  isSignedOut: boolean,
  isKnownPage: (pathname: string) => boolean,
): { to: string; state?: SignInState } {
  if (user !== null)
    return { to: target === "/dashboard" ? placeAfterSignIn(state, user.id, isKnownPage) : target };
  if (isSignedOut) return { to: target };
  const whose = lastAccount();
  const from = { from: pathname + search + hash };
  return { to: target, state: whose === "" ? from : { ...from, whose } };
}

/** Every page passes here: the user decides whether the page shows or redirects. */
export function Guard() {
  const { user, error } = useSession();
  const location = useLocation();
  const isKnownPage = useContext(KnownPages);
  const { pathname } = location;
  const { mutate } = useSWRConfig();
  const [before, setBefore] = useState(user);
  const [loss, setLoss] = useState<AccessLoss>();
  const [isSignedOut, setSignedOut] = useState(false);
  const [answerStepUp, setAnswerStepUp] = useState<(isGiven: boolean) => void>();
  if (before !== user) {
    setBefore(user);
    const now = lossBetween(before, user, pathname);
    // News of another change does not hide it.
    if (now !== undefined || user?.id !== before?.id) setLoss(now);
    // A sign-out forgets who was here; a session that ended otherwise does not.
    setSignedOut(user === null && before != null && rememberedAccount() === "");
  }

  useEffect(() => {
    let checking = false;
    whenSignedOut(() => {
      // A call that began before the session got its present cookie was refused as well, so the server says.
      if (checking) return;
      checking = true;
      void mutate(keys.user).finally(() => (checking = false));
    });
    whenBrowseAsEnded(
      () => void import("../../features/browseAs/data").then((part) => part.endBrowsing()),
    );
    whenUnverified(() => void mutate(keys.user));
    whenStepUpNeeded(() => new Promise((resolve) => setAnswerStepUp(() => resolve)));
    let leaving = false;
    whenTeamLost(() => {
      // Every call that named the team is refused; the first one says enough.
      if (leaving) return;
      leaving = true;
      forgetTeam();
      setActiveTeam(undefined);
      // What the team showed goes from the page at once. What is still open is known when we know who this is now.
      void mutate(isPersonal, undefined, { revalidate: false });
      void mutate(keys.user).finally(() => {
        leaving = false;
        void mutate(isPersonal);
      });
    });
  }, [mutate]);
  // After the editor has left the page, and with it what was typed last has reached this browser's journal.
  useEffect(() => {
    if (user !== null) return;
    void sealAtSessionEnd();
    void mutate(isPersonal, undefined, { revalidate: false });
  }, [user, mutate]);
  if (user === undefined) {
    return error === undefined ? (
      <Loader m="xl" aria-label={t("page.loading")} />
    ) : (
      <Alert color="red" m="lg" role="alert">
        {error.message}{" "}
        <Button size="compact-sm" onClick={() => void mutate(keys.user)}>
          {t("page.tryAgain")}
        </Button>
      </Alert>
    );
  }
  const target = redirectFor(pathname, user ?? undefined);
  const lost = target !== undefined && loss?.isAll === true && loss.at === pathname ? loss : null;
  // The key makes it navigate again when a page has moved on meanwhile, as the registration form does.
  if (target !== undefined && (lost === null || user === null))
    return (
      <Navigate
        key={pathname}
        {...wayTo(target, location, user, isSignedOut, isKnownPage)}
        replace
      />
    );
  return (
    <>
      {loss !== undefined && !loss.isAll && (
        <Suspense fallback={null}>
          <TeamLost loss={loss} onClose={() => setLoss(undefined)} />
        </Suspense>
      )}
      {answerStepUp !== undefined && (
        <Suspense fallback={null}>
          <StepUpDialog
            onClose={(isGiven) => {
              answerStepUp(isGiven);
              setAnswerStepUp(undefined);
            }}
          />
        </Suspense>
      )}
      {user?.browse_as != null && (
        <Suspense fallback={null}>
          <BrowseAsBanner user={{ ...user, browse_as: user.browse_as }} />
        </Suspense>
      )}
      {user !== null && !user.must_verify_email && !user.must_add_factor && <RealtimeProvider />}
      {lost === null || user === null || target === undefined ? (
        <Outlet />
      ) : (
        <Suspense fallback={<Loader m="xl" aria-label={t("page.loading")} />}>
          <AccessLost loss={lost} user={user} next={target} />
        </Suspense>
      )}
    </>
  );
}
