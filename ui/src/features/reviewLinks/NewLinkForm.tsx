import { Button, Group, NativeSelect, PasswordInput, Radio, Stack, Text } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { t } from "../../platform/messages/reviewLinks";
import { DAYS, PASSWORD_MIN, RIGHTS, USUAL_DAYS, type NewReviewLink, type Rights } from "./data";

/** Asks what a link is for. */
export function NewLinkForm({ onMake }: { onMake: (link: NewReviewLink) => Promise<void> }) {
  const [rights, setRights] = useState<Rights>("comment");
  const [days, setDays] = useState(USUAL_DAYS);
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isShort = password !== "" && password.length < PASSWORD_MIN;

  const make = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await onMake({ rights, days, password: password === "" ? null : password });
      setPassword("");
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void make(event)}>
      <Stack gap="sm">
        <Radio.Group
          label={t("form.rights")}
          value={rights}
          onChange={(value) => setRights(value as Rights)}
        >
          <Stack gap={6} mt={6}>
            {RIGHTS.map(({ value, label, about }) => (
              <Radio key={value} value={value} label={label} description={about} />
            ))}
          </Stack>
        </Radio.Group>
        <Group align="start" grow>
          <NativeSelect
            label={t("form.days")}
            value={String(days)}
            onChange={(event) => setDays(Number(event.currentTarget.value))}
            data={DAYS.map((count) => ({
              value: String(count),
              label: t("form.daysCount", { count }),
            }))}
          />
          <PasswordInput
            label={t("form.password")}
            value={password}
            autoComplete="new-password"
            error={isShort && t("form.passwordShort", { count: PASSWORD_MIN })}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        </Group>
        {problem !== undefined && (
          <Text role="alert" className="danger-text">
            {problem}
          </Text>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy} disabled={isShort}>
            {t("form.make")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
