import { t } from "../../platform/i18n/en/layouts";
import {
  IconBuilding,
  IconChartBar,
  IconMail,
  IconMovie,
  IconReceipt,
  IconShieldCheck,
  IconStack,
  IconUsers,
} from "../../platform/theme/icons";

/** The menu of the admin pages, in the order in which it shows. */
export const ADMIN_MENU = [
  { to: "/admin/dashboard", label: t("dashboard"), icon: IconChartBar },
  { to: "/admin/contents", label: t("content"), icon: IconMovie },
  { to: "/admin/users", label: t("users"), icon: IconUsers },
  { to: "/admin/companies", label: t("companies"), icon: IconBuilding },
  { to: "/admin/invoices", label: t("invoices"), icon: IconReceipt },
  { to: "/admin/models", label: t("models"), icon: IconStack },
  { to: "/admin/mails", label: t("mail"), icon: IconMail },
  { to: "/admin/audit", label: t("auditLog"), icon: IconShieldCheck },
];
