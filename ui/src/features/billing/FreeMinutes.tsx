import { Alert, Button } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../platform/messages/billing";
import { Usage, useMinutesLeft } from "./Usage";
import { day } from "./words";

/** What is left to somebody who tries the product, and the way to a plan. */
export function FreeMinutes() {
  const { data } = useMinutesLeft();
  const until = data?.grants.find(({ source }) => source === "free")?.expires_at;
  return (
    <Alert color="blue" title={t("free.title")} data-testid="free-minutes">
      <p>{until == null ? t("free.about") : t("free.aboutUntil", { until: day(until) })}</p>
      <Usage />
      <Button component={Link} to="/onboarding/billing" size="sm" mt="sm">
        {t("state.choose")}
      </Button>
    </Alert>
  );
}
