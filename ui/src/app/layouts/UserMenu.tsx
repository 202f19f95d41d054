import { Avatar, Menu, UnstyledButton } from "@mantine/core";
import { Link } from "react-router";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { useHints } from "../../domain/person/hints";
import { useSession } from "../../domain/person/session";
import { useSignOut } from "../../domain/person/useSignOut";
import { t as tLibrary } from "../../platform/messages/library";
import { t } from "../../platform/messages/shell";
import {
  IconBook,
  IconBulb,
  IconClock,
  IconCreditCard,
  IconFolder,
  IconHelp,
  IconLogout,
  IconSettings,
  IconTrash,
  IconUsers,
} from "../../platform/theme/icons";
import { LocaleMenuItems } from "../../domain/person/LocaleMenuItems";
import { toast } from "../../platform/notices/toast";
import { TeamChoice } from "./TeamChoice";
import styles from "./default.module.css";

export default function UserMenu() {
  const { user } = useSession();
  const { signOut, dialog } = useSignOut();
  const hints = useHints();
  const showHints = () => {
    hints.show(0);
    toast("success", tLibrary("hints.shown"));
  };
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
          <Menu.Item component={Link} to="/dashboard" leftSection={<IconFolder size={16} />}>
            {t("page.files")}
          </Menu.Item>
          <Menu.Item component={Link} to="/bin" leftSection={<IconTrash size={16} />}>
            {t("page.bin")}
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
          <Menu.Item leftSection={<IconBulb size={16} />} onClick={showHints}>
            {tLibrary("hints.show")}
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
