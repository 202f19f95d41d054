import {
  ActionIcon,
  Avatar,
  Group,
  Menu,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { Link, NavLink, Outlet } from "react-router";
import { useSession } from "../features/auth/session";
import { NotificationBell } from "../features/notifications/NotificationBell";
import { Brand } from "./Brand";
import "./default.css";

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const other = scheme === "dark" ? "light" : "dark";
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={`Use the ${other} colours`}
      onClick={() => setColorScheme(other)}
    >
      <span aria-hidden="true">{scheme === "dark" ? "☀" : "☾"}</span>
    </ActionIcon>
  );
}

/** The bar at the top of every page behind sign-in. */
export function TopBar() {
  const { user, logout } = useSession();
  return (
    <header className="topbar">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <Group gap="lg" wrap="nowrap">
        <Brand />
        <nav aria-label="Main" className="topnav">
          <NavLink to="/dashboard">Dashboard</NavLink>
          <NavLink to="/captions" end>
            Files
          </NavLink>
        </nav>
      </Group>
      <Group gap={6} wrap="nowrap">
        <SchemeSwitch />
        <NotificationBell />
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <ActionIcon variant="transparent" size="lg" aria-label="Your account">
              <Avatar size={32} name={user?.name ?? ""} color="spruce" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>
              {user?.name}
              <br />
              {user?.email}
            </Menu.Label>
            <Menu.Item component={Link} to="/captions">
              Files
            </Menu.Item>
            <Menu.Item onClick={() => void logout()}>Sign out</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
    </header>
  );
}

export function DefaultLayout() {
  return (
    <div className="shell">
      <TopBar />
      <main id="content" className="page">
        <Outlet />
      </main>
    </div>
  );
}

/** For the editor and the processing page: the bar, and a page as high as the window. */
export function FullPageLayout() {
  return (
    <div className="shell shell-full">
      <TopBar />
      <main id="content" className="page-full">
        <Outlet />
      </main>
    </div>
  );
}
