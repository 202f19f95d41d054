import {
  IconBuilding,
  IconChartBar,
  IconMail,
  IconMovie,
  IconReceipt,
  IconShieldCheck,
  IconStack,
  IconUsers,
} from "../theme/icons";

/** The menu of the admin pages, in the order in which it shows. */
export const ADMIN_MENU = [
  { to: "/admin/dashboard", label: "Dashboard", icon: IconChartBar },
  { to: "/admin/contents", label: "Content", icon: IconMovie },
  { to: "/admin/users", label: "Users", icon: IconUsers },
  { to: "/admin/companies", label: "Companies", icon: IconBuilding },
  { to: "/admin/invoices", label: "Invoices", icon: IconReceipt },
  { to: "/admin/models", label: "Models", icon: IconStack },
  { to: "/admin/mails", label: "Mail", icon: IconMail },
  { to: "/admin/audit", label: "Audit log", icon: IconShieldCheck },
];
