import type { Schemas } from "../../../api/client";

export type AuditEntry = Schemas["AuditEntryOut"];
export const AUDIT = "/api/admin/audit";

/** The subjects of actions, for the filter; each stands for all actions that begin with it. */
export const SUBJECTS = [
  { value: "account", label: "Account" },
  { value: "password", label: "Password" },
  { value: "email", label: "E-mail" },
  { value: "browse_as", label: "Browse as" },
  { value: "user", label: "Users" },
  { value: "contract", label: "Contracts" },
  { value: "goodwill", label: "Minutes" },
  { value: "company", label: "Companies" },
  { value: "team", label: "Teams" },
  { value: "invoice", label: "Invoices" },
  { value: "file", label: "Files" },
];
