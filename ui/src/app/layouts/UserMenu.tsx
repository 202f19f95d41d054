import { Avatar, Menu, UnstyledButton } from "@mantine/core";
import { Link } from "react-router";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { useSession } from "../../domain/person/session";
import { useSignOut } from "../../domain/person/useSignOut";
import { t } from "../../platform/messages/shell";
import {
  IconBook,
  IconClock,
  IconCreditCard,
  IconFolder,
  IconHelp,
  IconLogout,
  IconSettings,
  IconUpload,
  IconUsers,
} from "../../platform/theme/icons";
import { LocaleMenuItems } from "../../domain/person/LocaleMenuItems";
import { TeamChoice } from "./TeamChoice";
import styles from "./default.module.css";

export default function UserMenu() {
  const { user } = useSession();
  const { signOut, dialog } = useSignOut();
  const pays = usePublicConfig()?.billing != null;
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <UnstyledButton aria-label={t("page.yourAccount")} className={styles.userButton}>
            <Avatar
              size={32}
              src={user?.avatar_url}
              name={user?.name ?? ""}
              color="spruce"
              alt=""
            />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={styles.userCard}>
            <strong>{user?.name}</strong>
            <span>{user?.email}</span>
          </div>
          <Menu.Divider />
          <div className={styles.onPhones}>
            <TeamChoice />
          </div>
          <Menu.Item component={Link} to="/dashboard" leftSection={<IconUpload size={16} />}>
            {t("page.uploads")}
          </Menu.Item>
          <Menu.Item component={Link} to="/captions" leftSection={<IconFolder size={16} />}>
            {t("page.files")}
          </Menu.Item>
          {pays && (
            <Menu.Item component={Link} to="/minutes" leftSection={<IconClock size={16} />}>
              {t("page.minutes")}
            </Menu.Item>
          )}
          <Menu.Item component={Link} to="/glossary" leftSection={<IconBook size={16} />}>
            {t("page.glossary")}
          </Menu.Item>
          {pays && (
            <Menu.Item
              component={Link}
              to="/subscription"
              leftSection={<IconCreditCard size={16} />}
            >
              {t("page.subscription")}
            </Menu.Item>
          )}
          <Menu.Item component={Link} to="/settings" leftSection={<IconSettings size={16} />}>
            {t("page.settings")}
          </Menu.Item>
          <Menu.Item component={Link} to="/teams" leftSection={<IconUsers size={16} />}>
            {t("page.teams")}
          </Menu.Item>
          <Menu.Item component="a" href="/docs" leftSection={<IconHelp size={16} />}>
            {t("page.manual")}
          </Menu.Item>
          <Menu.Divider />
          <LocaleMenuItems />
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
            {t("page.signOut")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  );
}
