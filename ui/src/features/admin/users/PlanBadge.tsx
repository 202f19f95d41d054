import { SeverityBadge, type Severity } from "../../../platform/page/SeverityBadge";
import { planLabel, type Plan } from "./data";

/** Plan → severity, as specified. */
const SEVERITY: Record<Plan, Severity> = {
  enterprise: "primary",
  corporate: "primary",
  creator: "success",
  business: "success",
  producer: "info",
  broadcaster: "secondary",
  personal: "secondary",
  none: "secondary",
};

/** The plan of an account, in its colour. */
export function PlanBadge({ plan }: { plan: Plan }) {
  return (
    <SeverityBadge severity={SEVERITY[plan]} testId="plan">
      {planLabel(plan)}
    </SeverityBadge>
  );
}
