import { Button, Modal, Select } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/admin";
import { SeverityBadge } from "../../../platform/page/SeverityBadge";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { IconRefresh } from "../../../platform/theme/icons";
import list from "../list/list.module.css";
import { AdminHead } from "../list/AdminHead";
import { AdminTable, type Column } from "../list/AdminTable";
import { useAdminList } from "../list/useAdminList";
import { useFilters } from "../list/useFilters";
import { moment } from "../list/words";
import { MAILS, useMailActions, type UnsentMail } from "./data";
import styles from "./mails.module.css";

const STATES = [
  { value: "failed", label: t("mails.failed") },
  { value: "waiting", label: t("mails.waiting") },
];

const hasExpired = (mail: UnsentMail): boolean =>
  mail.expires_at !== null && Date.parse(mail.expires_at) <= Date.now();

function State({ mail }: { mail: UnsentMail }) {
  const next =
    mail.state === "waiting" && mail.next_at !== null
      ? t("mails.retry.at", { nextAt: moment(mail.next_at) })
      : "";
  return (
    <div>
      <SeverityBadge severity={mail.state === "failed" ? "danger" : "info"}>
        {mail.state === "failed" ? t("mails.failed") : t("mails.waiting")}
      </SeverityBadge>
      <span className={list.sub}>
        {[t("mails.attempts", { attempts: mail.attempts }), next]
          .filter((words) => words !== "")
          .join(" · ")}
      </span>
    </div>
  );
}

/** Mails that have not left: those the mail server refuses, and those that wait for it. */
export default function MailsPage() {
  usePageTitle(t("mails.adminMail"));
  const { get, set } = useFilters();
  const { retry, discard } = useMailActions();
  const [doomed, setDoomed] = useState<UnsentMail>();
  const [busy, setBusy] = useState("");
  const { data, error, mutate } = useAdminList<UnsentMail>(MAILS, {
    state: get("state"),
    page: get("page"),
  });
  const attempt = async (mail: UnsentMail, call: (mail: UnsentMail) => Promise<void>) => {
    setBusy(mail.id);
    await call(mail);
    setBusy("");
    setDoomed(undefined);
  };
  const columns: Column<UnsentMail>[] = [
    { label: t("mails.to"), cell: (mail) => <span className={list.address}>{mail.to}</span> },
    {
      label: t("mails.mail"),
      cell: (mail) => (
        <div>
          {mail.kind}
          <span className={list.sub}>{moment(mail.created_at)}</span>
        </div>
      ),
    },
    { label: t("mails.state"), cell: (mail) => <State mail={mail} /> },
    {
      label: t("mails.mailServer"),
      cell: (mail) => (
        <div className={styles.error}>
          {mail.error ?? <span className="quiet">{t("mails.notTried")}</span>}
          {hasExpired(mail) && <span className={list.sub}>{t("mails.expired")}</span>}
        </div>
      ),
    },
    {
      label: t("mails.actions"),
      cell: (mail) => (
        <span className={styles.tools}>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconRefresh size={15} />}
            loading={busy === mail.id}
            disabled={hasExpired(mail)}
            aria-label={t("mails.retry.label", { to: mail.to })}
            onClick={() => void attempt(mail, retry)}
          >
            {t("mails.tryAgain")}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            disabled={busy === mail.id}
            aria-label={t("mails.discard.label", { to: mail.to })}
            onClick={() => setDoomed(mail)}
          >
            {t("mails.discard")}
          </Button>
        </span>
      ),
    },
  ];
  return (
    <>
      <AdminHead
        title={t("mails.mail")}
        count={data && t("mails.total", { total: data.meta.total })}
      />
      <search className={list.filters}>
        <Select
          aria-label={t("mails.state")}
          placeholder={t("mails.anyState")}
          data={STATES}
          value={get("state") || null}
          clearable
          w={190}
          onChange={(state) => set({ state })}
        />
      </search>
      <AdminTable
        name={t("mails.unsentMails")}
        page={data}
        error={error}
        columns={columns}
        rowKey={(mail) => mail.id}
        empty={t("mails.empty")}
        onPage={(page) => set({ page: String(page) })}
        onRetry={() => void mutate()}
      />
      <Modal
        opened={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        title={t("mails.discard.question")}
      >
        <p>{t("mails.discard.about", { to: doomed?.to, kind: doomed?.kind })}</p>
        <div className={list.buttons}>
          <Button variant="default" onClick={() => setDoomed(undefined)}>
            {t("mails.keepIt")}
          </Button>
          <Button
            color="red"
            loading={busy !== ""}
            onClick={() => {
              if (doomed !== undefined) void attempt(doomed, discard);
            }}
          >
            {t("mails.discard")}
          </Button>
        </div>
      </Modal>
    </>
  );
}
