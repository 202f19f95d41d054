import { Button, Title } from "@mantine/core";
import { Link, useLocation } from "react-router";
import { t } from "../../platform/messages/shell";
import { ErrorPage } from "../../platform/failure/ErrorScreen";
import { usePageTitle } from "../../platform/page/usePageTitle";
import styles from "../../platform/failure/error.module.css";

const isError = (state: unknown): state is { error: Error } =>
  (state as { error?: unknown } | null)?.error instanceof Error;

/** The route `/error`: shows the error that a navigation carries in its state. */
export default function ErrorRoutePage() {
  usePageTitle(t("page.error"));
  const { state } = useLocation() as { state: unknown };
  if (isError(state)) return <ErrorPage error={state.error} />;
  return (
    <main className={styles.errorPage} data-testid="error-screen">
      <Title order={1}>{t("page.noError")}</Title>
      <Button component={Link} to="/dashboard" mt="md">
        {t("page.toFiles")}
      </Button>
    </main>
  );
}
