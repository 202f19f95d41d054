import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useState, type FormEvent, type ReactNode } from "react";
import { type ApiError } from "../../platform/api/client";
import { t } from "../../platform/messages/account";
import { Proof, useProof } from "../../domain/person/Proof";
import { problemOf, type User } from "./data";

interface Props {
  user: User;
  /** Of the password's field; several of these forms stand on one page. */
  name: string;
  about: string;
  verb: string;
  isRed?: boolean;
  disabled?: boolean;
  /** What to say where the server gave no sentence. */
  failed: string;
  /** Fields above the password. */
  children?: ReactNode;
  run: (password: string) => Promise<void>;
}

/** In a dialog: what happens next, a proof of who is asking, and the button that does it. */
export function ProofForm({
  user,
  name,
  about,
  verb,
  isRed,
  disabled,
  failed,
  children,
  run,
}: Props) {
  const proof = useProof();
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await proof.run(run);
    } catch (error) {
      setProblem(problemOf(error, failed));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text>{about}</Text>
        {children}
        <Proof
          user={user}
          proof={proof}
          name={name}
          label={t("yourPassword")}
          error={problem?.fields.password?.[0]}
        />
        <Unnamed problem={problem} />
        <Group justify="flex-end">
          <Button
            type="submit"
            color={isRed === true ? "red" : undefined}
            loading={busy}
            disabled={disabled}
          >
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A refusal that belongs to no field. */
export function Unnamed({ problem }: { problem: ApiError | undefined }) {
  if (problem === undefined || Object.keys(problem.fields).length > 0) return null;
  return (
    <Alert color="red" role="alert">
      {problem.message}
    </Alert>
  );
}
