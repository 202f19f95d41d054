import { useLocalStorage } from "@mantine/hooks";

const CLOSED = -1;

/** The hint that the editor shows, counted from 0; undefined once a person has closed them. This browser remembers it. */
export function useHints() {
  const [at, setAt] = useLocalStorage<number>({
    key: "sagascript.hints",
    defaultValue: 0,
    getInitialValueInEffect: false,
  });
  return {
    at: at === CLOSED ? undefined : at,
    show: setAt,
    close: () => setAt(CLOSED),
  };
}
