import { Component, useEffect, type ErrorInfo, type ReactNode } from "react";
import { useRouteError } from "react-router";
import { logError } from "../api/client";
import { t } from "../i18n/en/layouts";
import { FourOhFour } from "./FourOhFour";
import styles from "./error.module.css";

/** Crawlers, link previews and audit tools get no error page; their errors are only logged. */
const BOTS =
  /bot|crawl|spider|slurp|lighthouse|pagespeed|facebookexternalhit|embedly|whatsapp|preview/i;

export const isBot = (agent: string): boolean => BOTS.test(agent);

const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** The screen for uncaught errors: the browser's own error and a link back. */
export function ErrorPage({ error }: { error: Error }) {
  if (isBot(navigator.userAgent)) return null;
  return (
    <main className={styles.errorPage} data-testid="error-screen">
      {/* A link of the browser, not of the router: the page starts afresh. */}
      <a href="/dashboard" aria-label={t("goToYourUploads")} className={styles.errorHero}>
        <FourOhFour />
      </a>
      <h1 className="visually-hidden">{t("somethingWentWrong")}</h1>
      <pre className={styles.errorStack}>Error::: {error.stack ?? String(error)}</pre>
    </main>
  );
}

/** What the router shows when a page throws while it renders or loads. */
export function RouteErrorPage() {
  const thrown = useRouteError();
  const error = asError(thrown);
  useEffect(() => {
    void logError(asError(thrown), "route");
  }, [thrown]);
  return <ErrorPage error={error} />;
}

interface State {
  error: Error | undefined;
}

/** Catches errors thrown outside the router's pages. */
export class ErrorScreen extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    void logError(error, info.componentStack?.split("\n")[1]?.trim() ?? "");
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <ErrorPage error={error} />;
  }
}
