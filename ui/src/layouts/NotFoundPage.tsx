import { Button, Text, Title } from "@mantine/core";
import { Link, useLocation } from "react-router";
import { t } from "../i18n/en/layouts";
import { FourOhFour } from "./FourOhFour";
import { usePageTitle } from "./usePageTitle";
import styles from "./error.module.css";

export const notFoundMessage = (path: string): string => t("pageNotFoundPath", { path });

/** The "404" layout: only the message and a link back. */
export default function NotFoundPage() {
  usePageTitle(t("pageNotFound"));
  const { pathname } = useLocation();
  return (
    <main className={styles.errorPage}>
      <Link to="/dashboard" aria-label={t("goToYourUploads")} className={styles.errorHero}>
        <FourOhFour />
      </Link>
      <Title order={1}>{notFoundMessage(pathname)}</Title>
      <Text className="quiet">{t("checkTheAddressTheFile")}</Text>
      <Button component={Link} to="/dashboard" mt="md">
        {t("goToYourUploads")}
      </Button>
    </main>
  );
}
