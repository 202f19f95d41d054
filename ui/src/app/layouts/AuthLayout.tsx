import { Outlet } from "react-router";
import { t } from "../../platform/messages/shell";
import { AuthStory } from "../../features/landing/AuthStory";
import { Brand } from "../../platform/page/Brand";
import { LocaleSwitch } from "../../domain/person/LocaleSwitch";
import { SchemeSwitch } from "../../platform/page/SchemeSwitch";
import styles from "../../features/landing/auth.module.css";

/** The pages before sign-in: the form and, on wide screens, a view of the product. */
export default function AuthLayout() {
  return (
    <div className={styles.auth}>
      <div className={styles.authSide}>
        <header className={styles.authTop}>
          <Brand />
          <span>
            <LocaleSwitch />
            <SchemeSwitch />
          </span>
        </header>
        <main className={styles.authForm}>
          <Outlet />
        </main>
        <footer className={styles.authFoot}>{t("page.tagline")}</footer>
      </div>
      <AuthStory />
    </div>
  );
}
