import type { Schemas } from "../../../platform/api/client";
import { t } from "../../../platform/i18n/en/adminAudit";

export type AuditEntry = Schemas["AuditEntryOut"];
export const AUDIT = "/api/admin/audit";

/** The subjects of actions, for the filter; each stands for all actions that begin with it. */
export const SUBJECTS = [
  { value: "account", label: t("account") },
  { value: "password", label: t("password") },
  { value: "email", label: t("email") },
  { value: "browse_as", label: t("browseAs") },
  { value: "user", label: t("users") },
  { value: "contract", label: t("contracts") },
  { value: "goodwill", label: t("minutes") },
  { value: "company", label: t("companies") },
  { value: "team", label: t("teams") },
  { value: "invoice", label: t("invoices") },
  { value: "file", label: t("files") },
];
