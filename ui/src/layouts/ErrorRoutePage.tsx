import { useLocation } from "react-router";
import { ErrorPage } from "./ErrorScreen";
import { usePageTitle } from "./usePageTitle";

const NO_ERROR = "There is no error to show. Choose the picture to go to your uploads.";

const isError = (state: unknown): state is { error: Error } =>
  (state as { error?: unknown } | null)?.error instanceof Error;

/** The route `/error`: shows the error that a navigation carries in its state. */
export default function ErrorRoutePage() {
  usePageTitle("Error");
  const { state } = useLocation() as { state: unknown };
  return <ErrorPage error={isError(state) ? state.error : withoutStack(NO_ERROR)} />;
}

function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
