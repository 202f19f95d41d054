import { ActionIcon, Button, Kbd, Modal, Switch, TextInput, Tooltip } from "@mantine/core";
import { useState, type KeyboardEvent } from "react";
import { t } from "../../../platform/messages/editing";
import { IconArrowBackUp, IconSearch } from "../../../platform/theme/icons";
import { useEditorSettings } from "../../editor/useEditorSettings";
import { isModifier, matching, problemOf, withKey, withoutKey, type Problem } from "./conflicts";
import { keysOf, nameOf, type Binding, type OwnKeys, type Where } from "../../editor/keys/keymap";
import { KeyNames } from "../../editor/keys/KeyNames";
import styles from "../../editor/keys/keys.module.css";

const GROUPS: Record<Binding["group"], string> = {
  Playback: t("keys.playback"),
  Lines: t("keys.lines"),
  Timing: t("keys.timing"),
  Editing: t("keys.editing"),
  Tools: t("keys.tools"),
};

/** All keys, with a search. Each can be replaced by another one, which is kept with the person's account. */
export function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={t("keys.title")} size={820}>
      <Keymap />
    </Modal>
  );
}

function Keymap() {
  const { settings, change } = useEditorSettings();
  const own: OwnKeys = settings.keys;
  const [query, setQuery] = useState("");
  const found = matching(query, own);
  const save = (keys: OwnKeys) =>
    change({
      keys: Object.fromEntries(Object.entries(keys).map(([name, all]) => [name, [...all]])),
    });
  return (
    <div className={styles.keys}>
      <div className={styles.tools}>
        <TextInput
          data-autofocus
          aria-label={t("keys.search")}
          placeholder={t("keys.search")}
          leftSection={<IconSearch size={16} />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Switch
          label={t("keys.singleLetters")}
          checked={settings.single_letters}
          onChange={(event) => change({ single_letters: event.currentTarget.checked })}
        />
        <Button variant="default" disabled={Object.keys(own).length === 0} onClick={() => save({})}>
          {t("keys.resetAll")}
        </Button>
      </div>
      <p className="quiet">{t("keys.hint")}</p>
      {found.length === 0 && <p role="status">{t("keys.none", { query })}</p>}
      {(Object.keys(GROUPS) as Binding["group"][]).map((group) => {
        const rows = found.filter((binding) => binding.group === group);
        if (rows.length === 0) return null;
        return (
          <table key={group}>
            <caption>{GROUPS[group]}</caption>
            <thead>
              <tr>
                <th scope="col">{t("keys.action")}</th>
                <th scope="col">{t("keys.inList")}</th>
                <th scope="col">{t("keys.whileTyping")}</th>
                <th scope="col">
                  <span className="visually-hidden">{t("keys.reset")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((binding) => (
                <tr key={binding.command}>
                  <th scope="row">{binding.label}</th>
                  {(["list", "typing"] as const).map((where) => (
                    <td key={where}>
                      <KeyButton binding={binding} where={where} own={own} onSave={save} />
                    </td>
                  ))}
                  <td>
                    {own[binding.command] !== undefined && (
                      <Tooltip label={t("keys.resetOne", { name: binding.label })}>
                        <ActionIcon
                          aria-label={t("keys.resetOne", { name: binding.label })}
                          onClick={() => save(withoutKey(own, binding.command))}
                        >
                          <IconArrowBackUp size={16} />
                        </ActionIcon>
                      </Tooltip>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        );
      })}
    </div>
  );
}

interface KeyButtonProps {
  binding: Binding;
  where: Where;
  own: OwnKeys;
  onSave: (own: OwnKeys) => void;
}

/** The key of a command. A click waits for another one; Escape keeps the old one, Backspace removes it. */
function KeyButton({ binding, where, own, onSave }: KeyButtonProps) {
  const [waiting, setWaiting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const names = keysOf(binding, own)[where];
  const place = t(where === "list" ? "keys.inList" : "keys.whileTyping");
  const take = (event: KeyboardEvent) => {
    if (!waiting || event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    const name = nameOf(event.nativeEvent);
    if (isModifier(name)) return;
    if (event.key === "Escape") {
      setWaiting(false);
      setProblem(undefined);
      return;
    }
    const wanted = event.key === "Backspace" ? "" : name;
    const found = wanted === "" ? undefined : problemOf(binding.command, where, wanted, own);
    setProblem(found && sentence(found, wanted));
    if (found !== undefined) return;
    setWaiting(false);
    onSave(withKey(own, binding, where, wanted));
  };
  return (
    <>
      <button
        type="button"
        className={styles.keyButton}
        data-waiting={waiting || undefined}
        aria-label={t("keys.changeKey", {
          name: binding.label,
          place,
          key: names[0] ?? t("keys.noKey"),
        })}
        onClick={() => setWaiting(true)}
        onBlur={() => {
          setWaiting(false);
          setProblem(undefined);
        }}
        onKeyDown={take}
      >
        {waiting ? <Kbd size="xs">{t("keys.press")}</Kbd> : <KeyNames name={names[0]} />}
      </button>
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </>
  );
}

const sentence = (problem: Problem, key: string): string =>
  problem.kind === "taken"
    ? t("keys.taken", { key, name: problem.by.label })
    : t(`keys.${problem.kind}`, { key });
