import { MantineProvider } from "@mantine/core";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { SWRConfig } from "swr";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import { isWorthLogging, logError } from "../platform/api/client";
import { whenAway } from "../platform/api/offlineAnswer";
import { ErrorScreen } from "../platform/failure/ErrorScreen";
import { later } from "../platform/failure/Later";
import { Pages } from "./router/routes";
import { startEarly } from "./router/startEarly";
import "../platform/theme/fonts.css";
import "../platform/theme/tokens.css";
import "../platform/theme/app.css";
import "../platform/theme/motion.css";
import { theme } from "../platform/theme/theme";

const Toasts = later(() => import("../platform/notices/Toasts"));

/** The page shows that something did not load; the log records what. */
function logLoadError(error: unknown, key: string): void {
  if (isWorthLogging(error)) void logError(error, key);
}

window.addEventListener("error", (event) => void logError(event.error ?? event.message, "window"));
window.addEventListener("unhandledrejection", (event) => {
  if (isWorthLogging(event.reason)) void logError(event.reason, "promise");
});

whenAway(async (key) => (await import("../domain/offline/copies")).answerFor(key));
startEarly(window.location);

const root = document.getElementById("root");
if (root === null) throw new Error("Error while mounting app: the page has no root element.");

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <Toasts />
      <ErrorScreen>
        <SWRConfig value={{ shouldRetryOnError: false, onError: logLoadError }}>
          <BrowserRouter>
            <Pages />
          </BrowserRouter>
        </SWRConfig>
      </ErrorScreen>
    </MantineProvider>
  </StrictMode>,
);
