import { Badge, Button, Group, Modal, Text, Title } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/account";
import { toast } from "../../platform/notices/toast";
import {
  removeIdentity,
  startLink,
  useIdentities,
  type Identity,
} from "../../domain/person/identities";
import { leaveFor, type ProviderChoice } from "../../domain/person/provider";
import { day } from "../../domain/files/format";
import type { User } from "./data";
import { ProofForm } from "./ProofForm";
import styles from "./account.module.css";

type Step = { link: ProviderChoice } | { remove: Identity };

/** The identity providers that sign in to the account, and those that could. Nothing where there are none. */
export function IdentitiesSection({ user }: { user: User }) {
  const { data, mutate } = useIdentities();
  const [step, setStep] = useState<Step>();
  if (data === undefined || (data.linked.length === 0 && data.could_be.length === 0)) return null;
  return (
    <section className={`card ${styles.card}`} aria-labelledby="identities-title">
      <Title order={2} id="identities-title">
        {t("identities.title")}
      </Title>
      <Text className="quiet">{t("identities.about")}</Text>
      <ul className={styles.rows}>
        {data.linked.map((identity) => (
          <li key={identity.id} className={styles.row}>
            <div>
              <Group gap="xs">
                <Text fw={550}>{identity.name}</Text>
                {!identity.is_on && <Badge color="yellow">{t("identities.off")}</Badge>}
              </Group>
              <Text size="sm" className="quiet">
                {[identity.email, t("identities.used", { day: day(identity.used_at) })]
                  .filter(Boolean)
                  .join(" · ")}
              </Text>
            </div>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              aria-label={t("identities.remove.label", { name: identity.name })}
              onClick={() => setStep({ remove: identity })}
            >
              {t("identities.remove")}
            </Button>
          </li>
        ))}
        {data.could_be.map((provider) => (
          <li key={provider.slug} className={styles.row}>
            <Text>{provider.name}</Text>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t("identities.link.label", { name: provider.name })}
              onClick={() => setStep({ link: provider })}
            >
              {t("identities.link")}
            </Button>
          </li>
        ))}
      </ul>
      <Modal
        opened={step !== undefined}
        onClose={() => setStep(undefined)}
        title={
          step !== undefined && "remove" in step
            ? t("identities.remove.question", { name: step.remove.name })
            : t("identities.link.question", { name: step?.link.name })
        }
      >
        {step !== undefined && (
          <StepForm
            user={user}
            step={step}
            onRemoved={() => {
              setStep(undefined);
              void mutate();
            }}
          />
        )}
      </Modal>
    </section>
  );
}

interface FormProps {
  user: User;
  step: Step;
  onRemoved: () => void;
}

function StepForm({ user, step, onRemoved }: FormProps) {
  const isGoing = "remove" in step;
  return (
    <ProofForm
      user={user}
      name="identity_password"
      about={isGoing ? t("identities.remove.about") : t("identities.link.about")}
      verb={isGoing ? t("identities.remove") : t("identities.continue")}
      isRed={isGoing}
      failed={t("identities.failed")}
      run={async (password) => {
        if ("remove" in step) {
          await removeIdentity(step.remove.id, password);
          toast("success", t("identities.removed", { name: step.remove.name }));
          onRemoved();
        } else {
          await leaveFor(() => startLink(step.link.slug, password), {
            from: "/settings?section=password",
            notice: t("identities.linked", { name: step.link.name }),
          });
        }
      }}
    />
  );
}
