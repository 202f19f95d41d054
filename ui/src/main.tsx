import { MantineProvider } from "@mantine/core";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { SWRConfig } from "swr";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import { isWorthLogging, logError } from "./api/client";
import { ErrorScreen } from "./layouts/ErrorScreen";
import { later } from "./layouts/Later";
import { Pages } from "./router/routes";
import { startEarly } from "./router/startEarly";
import "./theme/fonts.css";
import "./theme/tokens.css";
import "./theme/app.css";
import "./theme/motion.css";
import { theme } from "./theme/theme";

const Toasts = later(() => import("./features/notifications/Toasts"));

/** The page shows that something did not load; the log records what. */
function logLoadError(error: unknown, key: string): void {
  if (isWorthLogging(error)) void logError(error, key);
}

window.addEventListener("error", (event) => void logError(event.error ?? event.message, "window"));
window.addEventListener("unhandledrejection", (event) => {
  if (isWorthLogging(event.reason)) void logError(event.reason, "promise");
});

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
