import { Button } from "@mantine/core";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { logError } from "../api/client";
import { t } from "../messages/shell";
import styles from "./error.module.css";

interface Props {
  /** What the person knows the part as: "Player". It is named in the message and in the log. */
  name: string;
  /** Another value ends the error: the page's path, the file. */
  at?: string;
  children: ReactNode;
}

interface State {
  failed: boolean;
  at: string | undefined;
}

/** Keeps an error inside one part of a page: the rest stays usable, and the part can be tried again. */
export class PaneBoundary extends Component<Props, State> {
  override state: State = { failed: false, at: this.props.at };

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true };
  }

  static getDerivedStateFromProps({ at }: Props, state: State): Partial<State> | null {
    return at === state.at ? null : { at, failed: false };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    void logError(
      error,
      `${this.props.name}: ${info.componentStack?.split("\n")[1]?.trim() ?? ""}`,
    );
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <section role="alert" className={styles.pane} data-testid="pane-error">
        <p>{t("page.paneFailed", { name: this.props.name })}</p>
        <Button size="compact-sm" variant="light" onClick={() => this.setState({ failed: false })}>
          {t("page.tryAgain")}
        </Button>
      </section>
    );
  }
}
