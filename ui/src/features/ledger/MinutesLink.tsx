import { Button } from "@mantine/core";
import { Link } from "react-router";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/ledger";
import { IconClock } from "../../platform/theme/icons";
import type { Whose } from "./data";

/** Leads to the minutes of oneself, a team or, for administrators, any payer. Nothing where people need no plan. */
export function MinutesLink({
  whose = {},
  label = t("minutes"),
}: {
  whose?: Whose;
  label?: string;
}) {
  const pays = usePublicConfig()?.billing != null;
  if (!pays) return null;
  const query = new URLSearchParams(whose as Record<string, string>).toString();
  return (
    <Button
      component={Link}
      to={query === "" ? "/minutes" : `/minutes?${query}`}
      variant="default"
      size="compact-md"
      leftSection={<IconClock size={16} />}
    >
      {label}
    </Button>
  );
}
