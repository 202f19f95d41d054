import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { ApiError } from "../../platform/api/client";

export interface Field {
  name: string;
  label: string;
  type: "text" | "email" | "password";
  autoComplete: string;
}

interface Props {
  title: string;
  subtitle: ReactNode;
  fields: Field[];
  action: string;
  other?: { text: string; label: string } & ({ to: string } | { onClick: () => void });
  /** Shown between the fields and the button. */
  children?: ReactNode;
  onSubmit: (values: Record<string, string>) => Promise<void>;
}

/** The form of the pages before sign-in: fields with the server's messages, and one button. */
export function AuthForm({ title, subtitle, fields, action, other, children, onSubmit }: Props) {
  const [values, setValues] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  // Where they were going stays known on the way between sign-in and registration.
  const state: unknown = useLocation().state;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await onSubmit(values);
    } catch (error) {
      setProblem(error instanceof ApiError ? error : new ApiError(0, String(error)));
    } finally {
      setBusy(false);
    }
  };

  const named = fields.some((field) => problem?.fields[field.name] !== undefined);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <div>
          <Title order={1}>{title}</Title>
          <Text className="quiet">{subtitle}</Text>
        </div>
        {problem !== undefined && !named && (
          <Alert color="red" role="alert">
            {problem.message}
          </Alert>
        )}
        {fields.map((field) => {
          const Input = field.type === "password" ? PasswordInput : TextInput;
          return (
            <Input
              key={field.name}
              name={field.name}
              label={field.label}
              type={field.type === "password" ? undefined : field.type}
              autoComplete={field.autoComplete}
              value={values[field.name] ?? ""}
              error={problem?.fields[field.name]?.[0]}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setValues((held) => ({ ...held, [field.name]: value }));
              }}
            />
          );
        })}
        {children}
        <Button type="submit" loading={busy} size="md">
          {action}
        </Button>
        {other !== undefined && (
          <Text size="sm" className="quiet">
            {other.text}{" "}
            {"to" in other ? (
              <Anchor component={Link} to={other.to} state={state}>
                {other.label}
              </Anchor>
            ) : (
              <Anchor component="button" type="button" size="sm" onClick={other.onClick}>
                {other.label}
              </Anchor>
            )}
          </Text>
        )}
      </Stack>
    </form>
  );
}
