import { Alert, Button, PasswordInput, Switch, TagsInput, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError } from "../../../platform/api/client";
import { t } from "../../../platform/messages/admin";
import { TeamGroups } from "./TeamGroups";
import { checkIssuer, NEW, saveProvider, type ProviderDraft, type ProviderEntry } from "./data";
import styles from "./providers.module.css";

const SWITCHES = [
  { name: "is_required", label: t("providers.isRequired"), about: t("providers.isRequired.about") },
  { name: "makes_accounts", label: t("providers.makesAccounts"), about: "" },
  {
    name: "trusts_email",
    label: t("providers.trustsEmail"),
    about: t("providers.trustsEmail.about"),
  },
  { name: "ends_session", label: t("providers.endsSession"), about: "" },
] as const;

interface Props {
  /** The provider to change; none to add one. */
  entry: ProviderEntry | undefined;
  onCancel: () => void;
  onSaved: (entry: ProviderEntry) => void;
}

/** Everything about one identity provider. */
export function ProviderForm({ entry, onCancel, onSaved }: Props) {
  const [draft, setDraft] = useState<ProviderDraft>(entry?.provider ?? NEW);
  const [secret, setSecret] = useState("");
  const [isEnabled, setEnabled] = useState(entry?.is_enabled ?? true);
  const [problem, setProblem] = useState<ApiError>();
  const [finding, setFinding] = useState<{ ok: boolean; text: string }>();
  const [busy, setBusy] = useState<"save" | "check">();

  const change = (changed: Partial<ProviderDraft>) => setDraft((held) => ({ ...held, ...changed }));
  const attempt = async (what: "save" | "check", call: () => Promise<void>) => {
    setBusy(what);
    setProblem(undefined);
    try {
      await call();
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError(0, String(error));
      if (what === "save") setProblem(failure);
      else setFinding({ ok: false, text: failure.message });
    }
    setBusy(undefined);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    void attempt("save", async () =>
      onSaved(
        await saveProvider(
          {
            provider: draft,
            // What is stored is never sent to the page; an empty field keeps it.
            client_secret: secret === "" && entry !== undefined ? null : secret,
            is_enabled: isEnabled,
          },
          entry === undefined,
        ),
      ),
    );
  };
  const check = () =>
    void attempt("check", async () => {
      const found = await checkIssuer(draft.issuer.trim());
      setFinding({
        ok: true,
        text: t("providers.check.ok", { algorithms: found.algorithms.join(", ") }),
      });
    });

  const { named, rest } = sentencesOf(problem);
  const text = (name: "name" | "slug" | "issuer" | "client_id" | "scopes" | "groups_claim") => ({
    name,
    value: draft[name],
    error: named[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      change({ [name]: currentTarget.value }),
  });
  return (
    <form className={styles.form} onSubmit={save} noValidate>
      <div className={styles.fields}>
        <TextInput
          label={t("providers.name")}
          description={t("providers.name.about")}
          required
          maxLength={60}
          data-autofocus
          {...text("name")}
        />
        <TextInput
          label={t("providers.slug")}
          description={t("providers.slug.about")}
          required
          maxLength={40}
          disabled={entry !== undefined}
          {...text("slug")}
        />
      </div>
      <div className={styles.issuerField}>
        <TextInput
          label={t("providers.issuer")}
          description={t("providers.issuer.about")}
          required
          maxLength={500}
          {...text("issuer")}
        />
        <Button
          variant="default"
          loading={busy === "check"}
          disabled={draft.issuer.trim() === ""}
          onClick={check}
        >
          {t("providers.check")}
        </Button>
      </div>
      {finding !== undefined && (
        <Alert color={finding.ok ? "teal" : "red"} role="status">
          {finding.text}
        </Alert>
      )}
      <div className={styles.fields}>
        <TextInput
          label={t("providers.clientId")}
          required
          maxLength={300}
          autoComplete="off"
          {...text("client_id")}
        />
        <PasswordInput
          name="client_secret"
          label={t("providers.clientSecret")}
          placeholder={entry?.has_secret === true ? t("providers.secretKept") : undefined}
          maxLength={1000}
          autoComplete="new-password"
          value={secret}
          error={named.client_secret}
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        />
      </div>
      <TextInput label={t("providers.scopes")} maxLength={300} {...text("scopes")} />
      <TagsInput
        label={t("providers.domains")}
        description={t("providers.domains.about")}
        value={draft.domains}
        error={named.domains}
        maxTags={100}
        acceptValueOnBlur
        onChange={(domains) => change({ domains })}
      />
      {SWITCHES.map(({ name, label, about }) => (
        <Switch
          key={name}
          label={label}
          description={about === "" ? undefined : about}
          checked={draft[name]}
          onChange={({ currentTarget }) => change({ [name]: currentTarget.checked })}
        />
      ))}
      <TextInput
        label={t("providers.groupsClaim")}
        description={t("providers.groupsClaim.about")}
        maxLength={100}
        {...text("groups_claim")}
      />
      <TagsInput
        label={t("providers.adminGroups")}
        description={t("providers.adminGroups.about")}
        value={draft.admin_groups}
        error={named.admin_groups}
        maxTags={100}
        acceptValueOnBlur
        onChange={(admin_groups) => change({ admin_groups })}
      />
      <TeamGroups
        groups={draft.team_groups}
        names={entry?.team_names ?? {}}
        error={named.team_groups}
        onChange={(team_groups) => change({ team_groups })}
      />
      <Switch
        label={t("providers.isEnabled")}
        checked={isEnabled}
        onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
      />
      {rest !== undefined && (
        <Text className="danger-text" role="alert">
          {rest}
        </Text>
      )}
      <div className={styles.buttons}>
        <Button variant="default" onClick={onCancel}>
          {t("providers.cancel")}
        </Button>
        <Button type="submit" loading={busy === "save"}>
          {t("providers.save")}
        </Button>
      </div>
    </form>
  );
}

/** The server's sentences by field of the form, and the one that is about none of them. */
function sentencesOf(problem: ApiError | undefined): {
  named: Record<string, string | undefined>;
  rest: string | undefined;
} {
  if (problem === undefined) return { named: {}, rest: undefined };
  const named: Record<string, string | undefined> = {};
  for (const [place, sentences] of Object.entries(problem.fields)) {
    const name = place.replace(/^provider\./, "").split(".")[0] ?? place;
    if (name !== "provider") named[name] ??= sentences[0];
  }
  return { named, rest: Object.keys(named).length === 0 ? problem.message : undefined };
}
