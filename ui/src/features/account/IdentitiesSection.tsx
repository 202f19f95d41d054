import { Badge, Button, Group, Modal, Stack, Text, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { type ApiError } from "../../platform/api/client";
import { t } from "../../platform/messages/account";
import { toast } from "../../platform/notices/toast";
import { Proof, useProof } from "../../domain/person/Proof";
import {
  removeIdentity,
  startLink,
  useIdentities,
  type Identity,
} from "../../domain/person/identities";
import { leaveFor, type ProviderChoice } from "../../domain/person/provider";
import { day } from "../../domain/files/format";
import { problemOf, type User } from "./data";
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
            onClose={() => setStep(undefined)}
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
  onClose: () => void;
  onRemoved: () => void;
}

function StepForm({ user, step, onClose, onRemoved }: FormProps) {
  const proof = useProof();
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);

  const go = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await proof.run(async (password) => {
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
      });
    } catch (error) {
      setProblem(problemOf(error, t("identities.failed")));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void go(event)} noValidate>
      <Stack gap="md">
        <Text>{"remove" in step ? t("identities.remove.about") : t("identities.link.about")}</Text>
        <Proof
          user={user}
          proof={proof}
          name="identity_password"
          label={t("yourPassword")}
          error={problem?.fields.password?.[0]}
        />
        {problem !== undefined && problem.fields.password === undefined && (
          <Text className="danger-text" role="alert">
            {problem.message}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("identities.cancel")}
          </Button>
          <Button type="submit" loading={busy} color={"remove" in step ? "red" : undefined}>
            {"remove" in step ? t("identities.remove") : t("identities.continue")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
