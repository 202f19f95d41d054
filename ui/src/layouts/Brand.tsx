import { Link } from "react-router";
import "./brand.css";

/** The mark and the wordmark. Where there is little room the mark stands alone. */
export function Brand({ compact = false }: { compact?: boolean }) {
  return (
    <Link to="/dashboard" aria-label="Sagascript, to your uploads" className="brand">
      <img src="/logo.svg" width={28} height={28} alt="" />
      <span className={compact ? "brand-name brand-name-compact" : "brand-name"}>Sagascript</span>
    </Link>
  );
}
