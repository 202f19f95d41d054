import { Button, Modal, Select } from "@mantine/core";
import { useState } from "react";
import { SeverityBadge } from "../../../layouts/SeverityBadge";
import { usePageTitle } from "../../../layouts/usePageTitle";
import { IconRefresh } from "../../../theme/icons";
import list from "../list/list.module.css";
import { AdminHead } from "../list/AdminHead";
import { AdminTable, type Column } from "../list/AdminTable";
import { useAdminList } from "../list/useAdminList";
import { useFilters } from "../list/useFilters";
import { counted, moment } from "../list/words";
import { MAILS, useMailActions, type UnsentMail } from "./data";
import styles from "./mails.module.css";

const STATES = [
  { value: "failed", label: "Failed" },
  { value: "waiting", label: "Waiting" },
];

const hasExpired = (mail: UnsentMail): boolean =>
  mail.expires_at !== null && Date.parse(mail.expires_at) <= Date.now();

function State({ mail }: { mail: UnsentMail }) {
  const next =
    mail.state === "waiting" && mail.next_at !== null ? `Again ${moment(mail.next_at)}` : "";
  return (
    <div>
      <SeverityBadge severity={mail.state === "failed" ? "danger" : "info"}>
        {mail.state === "failed" ? "Failed" : "Waiting"}
      </SeverityBadge>
      <span className={list.sub}>
        {[counted(mail.attempts, "attempt"), next].filter((words) => words !== "").join(" · ")}
      </span>
    </div>
  );
}

/** Mails that have not left: those the mail server refuses, and those that wait for it. */
export default function MailsPage() {
  usePageTitle("Admin - Mail");
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
    { label: "To", cell: (mail) => <span className={styles.address}>{mail.to}</span> },
    {
      label: "Mail",
      cell: (mail) => (
        <div>
          {mail.kind}
          <span className={list.sub}>{moment(mail.created_at)}</span>
        </div>
      ),
    },
    { label: "State", cell: (mail) => <State mail={mail} /> },
    {
      label: "Mail server",
      cell: (mail) => (
        <div className={styles.error}>
          {mail.error ?? <span className="quiet">Not tried yet</span>}
          {hasExpired(mail) && <span className={list.sub}>The link in it has expired.</span>}
        </div>
      ),
    },
    {
      label: "Actions",
      cell: (mail) => (
        <span className={styles.tools}>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconRefresh size={15} />}
            loading={busy === mail.id}
            disabled={hasExpired(mail)}
            aria-label={`Try the mail to ${mail.to} again`}
            onClick={() => void attempt(mail, retry)}
          >
            Try again
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            disabled={busy === mail.id}
            aria-label={`Discard the mail to ${mail.to}`}
            onClick={() => setDoomed(mail)}
          >
            Discard
          </Button>
        </span>
      ),
    },
  ];
  return (
    <>
      <AdminHead title="Mail" count={data && counted(data.meta.total, "unsent mail")} />
      <search className={list.filters}>
        <Select
          aria-label="State"
          placeholder="Any state"
          data={STATES}
          value={get("state") || null}
          clearable
          w={190}
          onChange={(state) => set({ state })}
        />
      </search>
      <AdminTable
        name="unsent mails"
        page={data}
        error={error}
        columns={columns}
        rowKey={(mail) => mail.id}
        empty="Every mail has left. A mail that its receiver's server sends back later goes to our sender's mailbox."
        onPage={(page) => set({ page: String(page) })}
        onRetry={() => void mutate()}
      />
      <Modal
        opened={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        title="Discard this mail?"
      >
        <p>
          {doomed?.to} will not get it. “{doomed?.kind}” mails are not written again by themselves.
        </p>
        <div className={styles.buttons}>
          <Button variant="default" onClick={() => setDoomed(undefined)}>
            Keep it
          </Button>
          <Button
            color="red"
            loading={busy !== ""}
            onClick={() => {
              if (doomed !== undefined) void attempt(doomed, discard);
            }}
          >
            Discard
          </Button>
        </div>
      </Modal>
    </>
  );
}
