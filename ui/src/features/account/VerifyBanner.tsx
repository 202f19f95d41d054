import { Alert, Anchor } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/account";
import { useSession } from "../../domain/person/session";

const KEY = "sagascript.verify-later";

/** Offers to confirm the address where nothing demands it, but mail would reach the person. */
export default function VerifyBanner() {
  const { user } = useSession();
  const sendsMail = usePublicConfig()?.mail === true;
  const [isLater, setIsLater] = useState(() => sessionStorage.getItem(KEY) !== null);
  if (!user || user.email_verified || user.browse_as || !sendsMail || isLater) return null;
  return (
    <Alert
      color="blue"
      mb="lg"
      withCloseButton
      closeButtonLabel={t("later")}
      onClose={() => {
        sessionStorage.setItem(KEY, "1");
        setIsLater(true);
      }}
    >
      {t.rich("email.unconfirmed", {
        email: user.email,
        link: (parts) => (
          <Anchor component={Link} to="/email/verification" size="sm">
            {parts}
          </Anchor>
        ),
      })}
    </Alert>
  );
}
