import { Component, type ErrorInfo, type ReactNode } from "react";
import { logError } from "../api/client";
import { FourOhFour } from "./NotFoundPage";

/** Programs that look at pages for search engines, previews and audits: they get no error page, only the log does. */
const BOTS =
  /bot|crawl|spider|slurp|lighthouse|pagespeed|facebookexternalhit|embedly|whatsapp|preview/i;

interface State {
  error: Error | undefined;
}

/** The screen of any error nobody caught: what the browser threw, and a way back. */
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
    if (error === undefined) return this.props.children;
    if (BOTS.test(navigator.userAgent)) return null;
    return (
      <main style={{ display: "grid", justifyItems: "center", gap: 20, padding: "60px 20px" }}>
        <a href="/dashboard" aria-label="To your uploads" style={{ color: "inherit" }}>
          <FourOhFour />
        </a>
        <pre style={{ maxWidth: "100%", overflow: "auto", whiteSpace: "pre-wrap" }}>
          Error::: {error.stack ?? String(error)}
        </pre>
      </main>
    );
  }
}
