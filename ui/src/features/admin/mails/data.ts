import { useSWRConfig } from "swr";
import { api, unwrap, type Schemas } from "../../../platform/api/client";
import { keys, staleBy } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/admin";
import { toast } from "../../../platform/notices/toast";

export type UnsentMail = Schemas["UnsentMail"];
export const MAILS = "/api/admin/mails";

/** Send a mail again or give it up. Whatever the answer, the list is read again. */
export function useMailActions() {
  const { mutate } = useSWRConfig();
  const attempt = async (call: () => Promise<unknown>, done: string) => {
    try {
      await call();
      toast("success", done);
    } catch (error) {
      toast("error", (error as Error).message);
    }
    await mutate(staleBy(keys.admin));
  };
  const params = (mail: UnsentMail) => ({ params: { path: { mail_id: Number(mail.id) } } });
  return {
    retry: (mail: UnsentMail) =>
      attempt(
        () => unwrap(api.POST("/api/admin/mails/{mail_id}/retry", params(mail))),
        t("mails.retry.done", { to: mail.to }),
      ),
    discard: (mail: UnsentMail) =>
      attempt(
        () => unwrap(api.DELETE("/api/admin/mails/{mail_id}", params(mail))),
        t("mails.discard.done", { to: mail.to }),
      ),
  };
}
