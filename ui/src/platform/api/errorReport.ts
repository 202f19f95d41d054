/** An error in the form of the server's log: message and stack, and the function and location it came from. */
export interface ErrorReport {
  error: string;
  class: string;
  method: string;
  line: string;
}

/** The server cuts each text itself; this keeps a report far below the 1 MB that a request may have. */
const TEXT_MAX = 100_000;
/** `at name (https://host/file.js:1:2)`, `at https://…:1:2`, and Firefox's and Safari's `name@https://…:1:2`. */
const CHROMIUM = /^\s*at (?:(?:async )?(.+?) \()?(\S+?:\d+:\d+)\)?$/;
const OTHERS = /^(.*?)@(\S+?:\d+:\d+)$/;

export function reportOf(error: unknown, where: string): ErrorReport {
  const { method, line } = origin(error);
  return {
    error: textOf(error).slice(0, TEXT_MAX),
    class: where.slice(0, TEXT_MAX),
    method: method.slice(0, TEXT_MAX),
    line: line.slice(0, TEXT_MAX),
  };
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = String(error);
  const stack = error.stack ?? "";
  // Only Chromium's stack begins with the message.
  const whole = stack.startsWith(text) ? stack : `${text}\n${stack}`.trim();
  return error.cause === undefined ? whole : `${whole}\ncaused by ${textOf(error.cause)}`;
}

function origin(error: unknown): { method: string; line: string } {
  const rows = error instanceof Error ? (error.stack ?? "").split("\n") : [];
  for (const row of rows) {
    const found = CHROMIUM.exec(row) ?? OTHERS.exec(row);
    if (found !== null) return { method: found[1] ?? "", line: found[2] ?? "" };
  }
  return { method: "", line: "" };
}
