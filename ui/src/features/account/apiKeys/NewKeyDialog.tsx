import {
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  NumberInput,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useState, type FormEvent } from "react";
import { type ApiError } from "../../../platform/api/client";
import { t } from "../../../platform/messages/account";
import { problemOf } from "../data";
import { EXPIRES, makeKey, SCOPES, type MadeKey, type Scope } from "./data";
import { KeyToCopy } from "./KeyToCopy";

const NOT_MADE = t("apiKeys.create.failed");
const CALLS_A_MINUTE = 60;

interface Props {
  opened: boolean;
  teamName: string | undefined;
  onClose: () => void;
  onMade: () => void;
}

/** Asks what a key is for, and then shows it once. */
export function NewKeyDialog({ opened, teamName, onClose, onMade }: Props) {
  const [made, setMade] = useState<MadeKey>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={made === undefined ? t("apiKeys.create.title") : t("apiKeys.made.title")}
      // A slip of the mouse must not lose the key for good.
      closeOnClickOutside={made === undefined}
    >
      {made === undefined ? (
        <Form
          teamName={teamName}
          onClose={close}
          onMade={(key) => {
            setMade(key);
            onMade();
          }}
        />
      ) : (
        <KeyToCopy secret={made.secret} onClose={close} />
      )}
    </Modal>
  );
}

function Form(props: {
  teamName: string | undefined;
  onClose: () => void;
  onMade: (key: MadeKey) => void;
}) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<string[]>(["transcribe", "files:read"]);
  const [expires, setExpires] = useState("365");
  const [minutes, setMinutes] = useState<number | string>("");
  const [calls, setCalls] = useState<number | string>(CALLS_A_MINUTE);
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);

  const make = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const key = await makeKey({
        name,
        scopes: scopes as Scope[],
        expires_days: expires === "" ? null : Number(expires),
        minutes_month: minutes === "" ? null : Number(minutes),
        requests_minute: calls === "" ? CALLS_A_MINUTE : Number(calls),
      });
      props.onMade(key);
    } catch (error) {
      setProblem(problemOf(error, NOT_MADE));
      setBusy(false);
    }
  };
  const unnamed = problem !== undefined && Object.keys(problem.fields).length === 0;
  return (
    <form onSubmit={(event) => void make(event)} noValidate>
      <Stack gap="md">
        {props.teamName !== undefined && (
          <Text className="quiet">{t("apiKeys.create.team", { teamName: props.teamName })}</Text>
        )}
        <TextInput
          name="name"
          label={t("apiKeys.name")}
          description={t("apiKeys.create.nameHint")}
          autoComplete="off"
          data-autofocus
          maxLength={100}
          value={name}
          error={problem?.fields.name?.[0]}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox.Group
          label={t("apiKeys.scopes.label")}
          value={scopes}
          error={problem?.fields.scopes?.[0]}
          onChange={setScopes}
        >
          <Stack gap="xs" mt="xs">
            {SCOPES.map(({ value, label, description }) => (
              <Checkbox key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Checkbox.Group>
        <NativeSelect
          name="expires"
          label={t("apiKeys.expires")}
          data={EXPIRES}
          value={expires}
          onChange={(event) => setExpires(event.currentTarget.value)}
        />
        <NumberInput
          name="minutes"
          label={t("apiKeys.limit.minutes")}
          description={t("apiKeys.limit.minutesHint")}
          min={1}
          max={1_000_000}
          allowDecimal={false}
          value={minutes}
          error={problem?.fields.minutes_month?.[0]}
          onChange={setMinutes}
        />
        <NumberInput
          name="calls"
          label={t("apiKeys.limit.callsLabel")}
          min={1}
          max={6_000}
          allowDecimal={false}
          value={calls}
          error={problem?.fields.requests_minute?.[0]}
          onChange={setCalls}
        />
        {unnamed && (
          <Text className="danger-text" role="alert">
            {problem.message}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {t("apiKeys.cancel")}
          </Button>
          <Button type="submit" loading={busy}>
            {t("apiKeys.create.submit")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
