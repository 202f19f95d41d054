import { useLocation } from "react-router";
import { t } from "../i18n/en/layouts";
import { ErrorPage } from "./ErrorScreen";
import { usePageTitle } from "./usePageTitle";

const NO_ERROR = t("thereIsNoErrorTo");

const isError = (state: unknown): state is { error: Error } =>
  (state as { error?: unknown } | null)?.error instanceof Error;

/** The route `/error`: shows the error that a navigation carries in its state. */
export default function ErrorRoutePage() {
  usePageTitle(t("error"));
  const { state } = useLocation() as { state: unknown };
  return <ErrorPage error={isError(state) ? state.error : withoutStack(NO_ERROR)} />;
}

function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
