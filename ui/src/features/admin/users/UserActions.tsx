import { Button, Menu, Modal } from "@mantine/core";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { keys, staleBy } from "../../../api/keys";
import {
  IconDots,
  IconEye,
  IconLogout,
  IconMail,
  IconRestore,
  IconShieldCheck,
  IconShieldOff,
  IconTrash,
} from "../../../theme/icons";
import { useSession } from "../../auth/session";
import { BrowseAsDialog } from "../../browseAs/BrowseAsDialog";
import { toast } from "../../notifications/toast";
import {
  deleteUser,
  restoreUser,
  sendLink,
  setAdmin,
  signOutUser,
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
        onClick={() =>
          void attempt({ run: () => restoreUser(user.id), done: "The account is restored." })
        }
      >
        Restore account
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
          Browse as
        </Button>
      )}
      <Menu position="bottom-end" width={270}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconDots size={17} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconMail size={16} />}
            onClick={() =>
              void attempt({
                run: () => sendLink(user.id).then(() => undefined),
                done: `${user.email} gets a link to choose a password.`,
              })
            }
          >
            Send a link to set the password
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLogout size={16} />}
            onClick={() =>
              setQuestion({
                title: "Sign out everywhere",
                text: `${user.name} is signed out in every browser and signs in again.`,
                verb: "Sign out",
                run: () => signOutUser(user.id),
                done: `${user.name} is signed out everywhere.`,
              })
            }
          >
            Sign out everywhere
          </Menu.Item>
          <Menu.Item
            leftSection={
              user.is_admin ? <IconShieldOff size={16} /> : <IconShieldCheck size={16} />
            }
            onClick={() =>
              setQuestion(
                user.is_admin
                  ? {
                      title: "Remove as administrator",
                      text: `${user.name} loses the admin pages at once.`,
                      verb: "Remove",
                      run: () => setAdmin(user.id, false),
                      done: `${user.name} is no administrator any more.`,
                    }
                  : {
                      title: "Make administrator",
                      text: `${user.name} can then see and change every account.`,
                      verb: "Make administrator",
                      run: () => setAdmin(user.id, true),
                      done: `${user.name} is an administrator now.`,
                    },
              )
            }
          >
            {user.is_admin ? "Remove as administrator" : "Make administrator"}
          </Menu.Item>
          {!own && (
            <>
              <Menu.Divider />
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} />}
                onClick={() =>
                  setQuestion({
                    title: "Delete account",
                    text: `${user.name} cannot sign in any more, and running work stops. You can restore the account for 30 days.`,
                    verb: "Delete account",
                    run: () => deleteUser(user.id).then(() => undefined),
                    done: "The account is deleted.",
                  })
                }
              >
                Delete account
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
              Cancel
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
