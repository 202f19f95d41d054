import { Link } from "react-router";
import { t } from "../messages/shell";
import styles from "./brand.module.css";

/** The logo and the wordmark; in tight spaces only the logo. */
export function Brand({ compact = false, to = "/dashboard" }: { compact?: boolean; to?: string }) {
  return (
    <Link to={to} aria-label={to === "/" ? "Sagascript" : t("page.home")} className={styles.brand}>
      <img src="/logo.svg" width={28} height={28} alt="" />
      <span
        className={compact ? `${styles.brandName} ${styles.brandNameCompact}` : styles.brandName}
      >
        Sagascript
      </span>
    </Link>
  );
}
