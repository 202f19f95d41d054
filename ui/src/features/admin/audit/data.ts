import type { Schemas } from "../../../platform/api/client";
import { t } from "../../../platform/messages/admin";

export type AuditEntry = Schemas["AuditEntryOut"];
export const AUDIT = "/api/admin/audit";

/** The subjects of actions, for the filter; each stands for all actions that begin with it. */
export const SUBJECTS = [
  { value: "account", label: t("audit.account") },
  { value: "password", label: t("audit.password") },
  { value: "email", label: t("audit.email") },
  { value: "browse_as", label: t("audit.browseAs") },
  { value: "user", label: t("audit.users") },
  { value: "contract", label: t("audit.contracts") },
  { value: "goodwill", label: t("audit.minutes") },
  { value: "company", label: t("audit.companies") },
  { value: "team", label: t("audit.teams") },
  { value: "invoice", label: t("audit.invoices") },
  { value: "file", label: t("audit.files") },
];
