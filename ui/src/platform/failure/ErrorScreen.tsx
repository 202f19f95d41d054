import { Component, type ErrorInfo, type ReactNode } from "react";
import { logError } from "../api/client";
import { t } from "../messages/shell";
import { FourOhFour } from "./FourOhFour";
import styles from "./error.module.css";

/** Crawlers, link previews and audit tools get no error page; their errors are only logged. */
const BOTS =
  /bot|crawl|spider|slurp|lighthouse|pagespeed|facebookexternalhit|embedly|whatsapp|preview/i;

export const isBot = (agent: string): boolean => BOTS.test(agent);

/** The screen for uncaught errors: the browser's own error and a link back. */
export function ErrorPage({ error }: { error: Error }) {
  if (isBot(navigator.userAgent)) return null;
  return (
    <main className={styles.errorPage} data-testid="error-screen">
      {/* A link of the browser, not of the router: the page starts afresh. */}
      <a href="/dashboard" aria-label={t("page.toFiles")} className={styles.errorHero}>
        <FourOhFour />
      </a>
      <h1 className="visually-hidden">{t("page.failed")}</h1>
      <pre className={styles.errorStack}>Error::: {error.stack ?? String(error)}</pre>
    </main>
  );
}

interface Props {
  children: ReactNode;
  /** Another place ends the error: the path of the page. */
  at?: string;
}

interface State {
  error: Error | undefined;
  at: string | undefined;
}

/** Catches what a page throws while it renders or loads. */
export class ErrorScreen extends Component<Props, State> {
  override state: State = { error: undefined, at: this.props.at };

  static getDerivedStateFromError(thrown: unknown): Partial<State> {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  static getDerivedStateFromProps({ at }: Props, state: State): Partial<State> | null {
    return at === state.at ? null : { at, error: undefined };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    void logError(error, info.componentStack?.split("\n")[1]?.trim() ?? "");
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <ErrorPage error={error} />;
  }
}
