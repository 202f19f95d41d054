import { useEffect, useRef } from "react";
import { NavLink, useLocation } from "react-router";
import { t } from "../../platform/messages/shell";
import { PageOutlet, TopBar } from "./DefaultLayout";
import { ADMIN_MENU } from "./adminMenu";
import styles from "./admin.module.css";

/** The pages of administrators: the top bar, the admin menu and a page. */
export default function AdminLayout() {
  const menu = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a phone the menu is one row that scrolls: the page that is open must be in sight.
  useEffect(() => {
    const here = menu.current?.querySelector("[aria-current=page]");
    here?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);
  return (
    <div className={styles.shell}>
      <TopBar />
      <div className={styles.body}>
        <nav ref={menu} aria-label={t("page.admin")} className={styles.menu}>
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
