import { Button, Menu, Modal } from "@mantine/core";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { keys, staleBy } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/admin";
import {
  IconDots,
  IconEye,
  IconLock,
  IconLogout,
  IconMail,
  IconRestore,
  IconShieldCheck,
  IconShieldOff,
  IconTrash,
} from "../../../platform/theme/icons";
import { useSession } from "../../../domain/person/session";
import { BrowseAsDialog } from "../../browseAs/BrowseAsDialog";
import { toast } from "../../../platform/notices/toast";
import {
  deleteUser,
  restoreUser,
  sendLink,
  resumeUser,
  setAdmin,
  signOutUser,
  suspendUser,
  turnOffSecondFactor,
  type AdminUserDetail,
} from "./data";
import styles from "./users.module.css";

interface Props {
  user: AdminUserDetail;
  onChange: (user: AdminUserDetail) => void;
  onReload: () => void;
}

interface Question {
  title: string;
  text: string;
  verb: string;
  run: () => Promise<AdminUserDetail | undefined>;
  done: string;
}

/** What an administrator can do with an account. Whatever others notice is asked about first. */
export function UserActions({ user, onChange, onReload }: Props) {
  const own = useSession().user?.id === user.id;
  const [isBrowsing, setBrowsing] = useState(false);
  const [question, setQuestion] = useState<Question>();
  const [busy, setBusy] = useState(false);
  const { mutate } = useSWRConfig();

  const attempt = async ({ run, done }: Pick<Question, "run" | "done">) => {
    setBusy(true);
    try {
      const changed = await run();
      if (changed === undefined) onReload();
      else onChange(changed);
      void mutate(staleBy(keys.admin));
      toast("success", done);
    } catch (error) {
      toast("error", (error as Error).message);
    }
    setBusy(false);
    setQuestion(undefined);
  };
  if (user.deleted_at !== null) {
    return (
      <Button
        leftSection={<IconRestore size={17} />}
        loading={busy}
        onClick={() => void attempt({ run: () => restoreUser(user.id), done: t("users.restored") })}
      >
        {t("users.restoreAccount")}
      </Button>
    );
  }
  return (
    <div className={styles.tools}>
      {!user.is_admin && (
        <Button
          variant="default"
          leftSection={<IconEye size={17} />}
          onClick={() => setBrowsing(true)}
        >
          {t("users.browseAs")}
        </Button>
      )}
      <Menu position="bottom-end" width={270}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconDots size={17} />}>
            {t("users.more")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconMail size={16} />}
            onClick={() =>
              void attempt({
                run: () => sendLink(user.id).then(() => undefined),
                done: t("users.link.sent", { email: user.email }),
              })
            }
          >
            {t("users.link.send")}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLogout size={16} />}
            onClick={() =>
              setQuestion({
                title: t("users.signOut.start"),
                text: t("users.signOut.about", { userName: user.name }),
                verb: t("users.signOut"),
                run: () => signOutUser(user.id),
                done: t("users.signOut.done", { userName: user.name }),
              })
            }
          >
            {t("users.signOut.start")}
          </Menu.Item>
          <Menu.Item
            leftSection={
              user.is_admin ? <IconShieldOff size={16} /> : <IconShieldCheck size={16} />
            }
            onClick={() =>
              setQuestion(
                user.is_admin
                  ? {
                      title: t("users.admin.remove"),
                      text: t("users.admin.removeAbout", { userName: user.name }),
                      verb: t("users.remove"),
                      run: () => setAdmin(user.id, false),
                      done: t("users.admin.removed", { userName: user.name }),
                    }
                  : {
                      title: t("users.makeAdministrator"),
                      text: t("users.admin.makeAbout", { userName: user.name }),
                      verb: t("users.makeAdministrator"),
                      run: () => setAdmin(user.id, true),
                      done: t("users.admin.made", { userName: user.name }),
                    },
              )
            }
          >
            {user.is_admin ? t("users.admin.remove") : t("users.makeAdministrator")}
          </Menu.Item>
          {user.has_second_factor && (
            <Menu.Item
              leftSection={<IconShieldOff size={16} />}
              onClick={() =>
                setQuestion({
                  title: t("users.factorOff"),
                  text: t("users.factorOff.about", { userName: user.name }),
                  verb: t("users.factorOff"),
                  run: () => turnOffSecondFactor(user.id),
                  done: t("users.factorOff.done", { userName: user.name }),
                })
              }
            >
              {t("users.factorOff")}
            </Menu.Item>
          )}
          {!own && (
            <>
              <Menu.Item
                leftSection={
                  user.suspended_at === null ? <IconLock size={16} /> : <IconRestore size={16} />
                }
                onClick={() =>
                  setQuestion(
                    user.suspended_at === null
                      ? {
                          title: t("users.suspend"),
                          text: t("users.suspend.about", { userName: user.name }),
                          verb: t("users.suspend"),
                          run: () => suspendUser(user.id),
                          done: t("users.suspend.done", { userName: user.name }),
                        }
                      : {
                          title: t("users.resume"),
                          text: t("users.resume.about", { userName: user.name }),
                          verb: t("users.resume"),
                          run: () => resumeUser(user.id),
                          done: t("users.resume.done", { userName: user.name }),
                        },
                  )
                }
              >
                {user.suspended_at === null ? t("users.suspend") : t("users.resume")}
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} />}
                onClick={() =>
                  setQuestion({
                    title: t("users.deleteAccount"),
                    text: t("users.delete.about", { userName: user.name }),
                    verb: t("users.deleteAccount"),
                    run: () => deleteUser(user.id).then(() => undefined),
                    done: t("users.delete.done"),
                  })
                }
              >
                {t("users.deleteAccount")}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isBrowsing && <BrowseAsDialog user={user} onClose={() => setBrowsing(false)} />}
      {question !== undefined && (
        <Modal opened onClose={() => setQuestion(undefined)} title={question.title}>
          <p>{question.text}</p>
          <div className={styles.buttons}>
            <Button variant="default" onClick={() => setQuestion(undefined)}>
              {t("users.cancel")}
            </Button>
            <Button loading={busy} data-autofocus onClick={() => void attempt(question)}>
              {question.verb}
            </Button>
          </div>
        </Modal>
      )}
    </div>
  );
}
