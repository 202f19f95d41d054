import { Button } from "@mantine/core";
import {
  Component,
  lazy,
  Suspense,
  useState,
  type ComponentType,
  type ErrorInfo,
  type ReactNode,
} from "react";
import { logError } from "../api/client";
import { t } from "../messages/shell";
import { withSentences } from "../i18n/loaded";
import styles from "./error.module.css";

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/** The code of a part did not arrive: no network, or a new build has other files. */
class NotLoaded extends Error {}

/**
 * A component whose code loads when it is first shown, in the Suspense around it. If the code does not arrive, that is said
 * in its place, and the rest of the page stays. Chromium never fetches a module again that failed once; then "Try again"
 * loads the page anew, and the editor brings unsaved text back.
 */
export function part<P extends object>(
  load: Load<P>,
  reload = () => window.location.reload(),
): ComponentType<P> {
  const open = () =>
    withSentences("others", load)().catch((cause: unknown) => {
      throw new NotLoaded(t("page.partNotLoaded"), { cause });
    });
  // React's type for lazy components does not carry the props through.
  const make = () => lazy(open) as unknown as ComponentType<P>;
  let latest = make();
  return function Part(props: P) {
    const [Shown, show] = useState(() => latest);
    const again = async () => {
      try {
        await open();
      } catch {
        reload();
        return;
      }
      latest = make();
      show(() => latest);
    };
    return (
      <PartBoundary key={keyOf(Shown)} onAgain={() => void again()}>
        <Shown {...props} />
      </PartBoundary>
    );
  };
}

const numbers = new WeakMap<object, number>();
let count = 0;

/** Another component starts without the error of the former one. */
function keyOf(component: object): number {
  const known = numbers.get(component) ?? ++count;
  numbers.set(component, known);
  return known;
}

const HIDDEN_MS = 500;

/** When the browser has drawn what is shown now. A page in the background draws nothing. */
function drawn(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, HIDDEN_MS);
  });
}

/**
 * A `part` with a Suspense of its own; `until` is shown until its code arrives. The page is drawn before that loads: on a
 * slow processor, the code of all such parts takes as long as the page.
 */
export function later<P extends object>(
  load: Load<P>,
  until: (props: P) => ReactNode = () => null,
): ComponentType<P> {
  const Part = part(async () => {
    await drawn();
    return load();
  });
  return function Later(props: P) {
    return (
      <Suspense fallback={until(props)}>
        <Part {...props} />
      </Suspense>
    );
  };
}

interface Props {
  onAgain: () => void;
  children: ReactNode;
}

/** Shows only that code did not load; any other error goes on to the boundary around it. */
class PartBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    if (error instanceof NotLoaded)
      void logError(error, info.componentStack?.split("\n")[1]?.trim() ?? "");
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (!(error instanceof NotLoaded)) throw error;
    return (
      <span role="alert" className={styles.part} data-testid="part-error">
        {t("page.partNotLoaded")}{" "}
        <Button size="compact-sm" variant="light" onClick={this.props.onAgain}>
          {t("page.tryAgain")}
        </Button>
      </span>
    );
  }
}
