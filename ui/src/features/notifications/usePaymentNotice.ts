import { useEffect } from "react";
import { t } from "../../platform/messages/shell";
import { useSession } from "../../domain/person/session";
import { notify, withdraw } from "../../platform/notices/store";

const SLUG = "payment";

/** A payment that is missing stays among the notices until it has arrived. */
export function usePaymentNotice(): void {
  const { user } = useSession();
  const isMissing = user?.has_incomplete_payment === true;
  useEffect(() => {
    if (isMissing) {
      notify({
        slug: SLUG,
        category: "subscriptions",
        type: "warning",
        message: t("notices.paymentMissing"),
        route: "/subscription",
        is_permanent: true,
      });
    } else withdraw(SLUG);
  }, [isMissing]);
}
