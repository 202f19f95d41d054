import { Group } from "@mantine/core";
import { useEffect } from "react";
import { NavLink, Outlet, useLocation } from "react-router";
import { useSession } from "../../domain/person/session";
import { useIsRecording } from "../../features/live/active";
import { SearchButton } from "../../features/search/SearchButton";
import { t as l } from "../../platform/messages/shell";

import { Brand } from "../../platform/page/Brand";
import { later } from "../../platform/failure/Later";
import { PaneBoundary } from "../../platform/failure/PaneBoundary";
import { returnFocus } from "../../platform/page/returnFocus";
import { SchemeSwitch } from "../../platform/page/SchemeSwitch";
import styles from "./default.module.css";

const room = (width: number) => () => <span style={{ width, height: 34 }} />;
const NotificationBell = later(
  () => import("../../features/notifications/NotificationBell"),
  room(34),
);
const RecordingBadge = later(() => import("../../features/live/RecordingBadge"));
const VerifyBanner = later(() => import("../../features/account/VerifyBanner"));
const TeamSwitcher = later(() => import("./TeamSwitcher"));
const UserMenu = later(() => import("./UserMenu"), room(38));

/** Addresses of the files and of those deleted. */
const FILES = new Set(["/dashboard", "/captions", "/bin"]);

/** The top bar of every signed-in page. */
export function TopBar() {
  const { user } = useSession();
  const isAdmin = user?.is_admin === true;
  const { pathname } = useLocation();
  const isRecording = useIsRecording();
  const hasTeams = user?.teams.some((team) => team.is_active) === true;
  return (
    <header className={styles.topbar}>
      <a className="skip-link" href="#content">
        {l("skip")}
      </a>
      <Group gap="lg" wrap="nowrap" miw={0}>
        <Brand compact />
        <nav aria-label={l("mainMenu")} className={styles.topnav}>
          <NavLink
            to="/dashboard"
            className={FILES.has(pathname) ? "active" : undefined}
            aria-current={FILES.has(pathname) ? "page" : undefined}
          >
            {l("page.files")}
          </NavLink>
          <NavLink to="/projects">{l("projects")}</NavLink>
          {isAdmin && <NavLink to="/admin">{l("admin")}</NavLink>}
        </nav>
      </Group>
      <Group gap={4} wrap="nowrap">
        {isRecording && <RecordingBadge />}
        {hasTeams && <TeamSwitcher />}
        <SearchButton className={styles.search} />
        <SchemeSwitch />
        <NotificationBell />
        <UserMenu />
      </Group>
    </header>
  );
}

/** The page, apart from the bar above it: an error of one does not take the other along. */
export function PageOutlet() {
  const { pathname } = useLocation();
  useEffect(returnFocus, []);
  return (
    <PaneBoundary name={l("page.thisPage")} at={pathname}>
      <Outlet />
    </PaneBoundary>
  );
}

export function DefaultLayout() {
  const hasBanner = useSession().user?.email_verified === false;
  return (
    <div className={styles.shell}>
      <TopBar />
      <main id="content" className={styles.page} tabIndex={-1}>
        {hasBanner && <VerifyBanner />}
        <PageOutlet />
      </main>
    </div>
  );
}

/** For the editor and the processing page: the top bar and a page as tall as the window. */
export function FullPageLayout() {
  return (
    <div className={`${styles.shell} ${styles.shellFull}`}>
      <TopBar />
      <main id="content" className={styles.pageFull} tabIndex={-1}>
        <PageOutlet />
      </main>
    </div>
  );
}
