import { Button, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../platform/messages/shell";
import { FourOhFour } from "../../platform/failure/FourOhFour";
import { usePageTitle } from "../../platform/page/usePageTitle";
import styles from "../../platform/failure/error.module.css";

/** The "404" layout: only the message and a link back. */
export default function NotFoundPage() {
  return <FullPage message={t("page.notFoundPath", { path: window.location.pathname })} />;
}

/** The same for an address whose route is known and whose parameter cannot be, or whose encoding is broken. */
export function MalformedPage() {
  return <FullPage message={t("page.malformedPath", { path: window.location.pathname })} />;
}

function FullPage({ message }: { message: string }) {
  usePageTitle(t("page.notFound"));
  return (
    <main className={styles.errorPage}>
      <Link to="/dashboard" aria-label={t("page.toFiles")} className={styles.errorHero}>
        <FourOhFour />
      </Link>
      <Title order={1}>{message}</Title>
      <Text className="quiet">{t("page.notFoundAbout")}</Text>
      <Button component={Link} to="/dashboard" mt="md">
        {t("page.toFiles")}
      </Button>
    </main>
  );
}
