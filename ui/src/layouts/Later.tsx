import { lazy, Suspense, type ComponentType, type ReactNode } from "react";

/** A part that the first drawing of a page does not wait for: `until` stands in its place while its code arrives. */
export function later<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  until: (props: P) => ReactNode = () => null,
): ComponentType<P> {
  // Whoever draws it knows the props; the kit's own type of lazy parts does not carry them through.
  const Part = lazy(load) as unknown as ComponentType<P>;
  return function Later(props: P) {
    return (
      <Suspense fallback={until(props)}>
        <Part {...props} />
      </Suspense>
    );
  };
}
