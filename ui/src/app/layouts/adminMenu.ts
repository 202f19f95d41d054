import { t } from "../../platform/messages/shell";
import {
  IconBuilding,
  IconChartBar,
  IconLogin,
  IconMail,
  IconMicrophone,
  IconMovie,
  IconReceipt,
  IconShieldCheck,
  IconStack,
  IconUsers,
} from "../../platform/theme/icons";

/** The menu of the admin pages, in the order in which it shows. */
export const ADMIN_MENU = [
  { to: "/admin/dashboard", label: t("page.dashboard"), icon: IconChartBar },
  { to: "/admin/contents", label: t("page.content"), icon: IconMovie },
  { to: "/admin/live", label: t("page.live"), icon: IconMicrophone },
  { to: "/admin/users", label: t("page.users"), icon: IconUsers },
  { to: "/admin/companies", label: t("page.companies"), icon: IconBuilding },
  { to: "/admin/invoices", label: t("page.invoices"), icon: IconReceipt },
  { to: "/admin/models", label: t("page.models"), icon: IconStack },
  { to: "/admin/mails", label: t("page.mail"), icon: IconMail },
  { to: "/admin/providers", label: t("page.signIn"), icon: IconLogin },
  { to: "/admin/audit", label: t("page.auditLog"), icon: IconShieldCheck },
];
