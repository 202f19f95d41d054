import { lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { withSentences } from "../i18n/loaded";

/** A component whose code loads after the first render. `until` is shown until it arrives. */
export function later<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  until: (props: P) => ReactNode = () => null,
): ComponentType<P> {
  // React's type for lazy components does not carry the props through.
  const Part = lazy(withSentences("others", load)) as unknown as ComponentType<P>;
  return function Later(props: P) {
    return (
      <Suspense fallback={until(props)}>
        <Part {...props} />
      </Suspense>
    );
  };
}
