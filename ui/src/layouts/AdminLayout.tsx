import { NavLink } from "react-router";
import { t } from "../i18n/en/layouts";
import { PageOutlet, TopBar } from "./DefaultLayout";
import { ADMIN_MENU } from "./adminMenu";
import styles from "./admin.module.css";

/** The pages of administrators: the top bar, the admin menu and a page. */
export default function AdminLayout() {
  return (
    <div className={styles.shell}>
      <TopBar />
      <div className={styles.body}>
        <nav aria-label={t("admin")} className={styles.menu}>
          {ADMIN_MENU.map(({ to, label, icon: Icon }) => (
            <NavLink key={to} to={to}>
              <Icon size={17} aria-hidden="true" />
              {label}
            </NavLink>
          ))}
        </nav>
        <main id="content" className={styles.page} tabIndex={-1}>
          <PageOutlet />
        </main>
      </div>
    </div>
  );
}
