import { Alert, Button, Checkbox, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../../platform/api/keys";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { t as files } from "../../../platform/messages/files";
import { t } from "../../../platform/messages/library";
import { useLanguages } from "../../../domain/languages/languages";
import { toast } from "../../../platform/notices/toast";
import { Changed } from "../rows/Changed";
import type { SearchTerms } from "./matcher";
import {
  previewReplacement,
  replaceInTracks,
  trackId,
  undoReplacement,
  type FoundTrack,
  type Preview,
  type Replaced,
} from "./replaceFiles";
import styles from "./find.module.css";

const TERMS: SearchTerms = { query: "", matchCase: false, wholeWord: false, isPattern: false };

/** Find and replace in many files: what would change in each, which files to change, and undo for each of them. */
export default function ReplaceDialog({ onClose }: { onClose: () => void }) {
  const queryMax = usePublicConfig()?.text_limits.search;
  const [terms, setTerms] = useState(TERMS);
  const [replacement, setReplacement] = useState("");
  const [found, setFound] = useState<Preview>();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState<Replaced[]>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { mutate } = useSWRConfig();

  const attempt = async (call: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await call();
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  const change = (next: Partial<SearchTerms>) => {
    setTerms({ ...terms, ...next });
    setFound(undefined);
  };
  const chosen = found?.tracks.filter((track) => !left.has(trackId(track))) ?? [];
  const search = () =>
    attempt(async () => {
      setFound(await previewReplacement(terms, replacement));
      setLeft(new Set());
    });
  const apply = () =>
    attempt(async () => {
      setDone(await replaceInTracks(terms, replacement, chosen));
      await mutate(keys.files);
    });

  return (
    <Modal opened onClose={onClose} title={files("replaceInFiles")} size={680}>
      {done !== undefined ? (
        <Outcome done={done} tracks={chosen} onClose={onClose} />
      ) : (
        <form
          className={styles.dialog}
          onSubmit={(event) => {
            event.preventDefault();
            void search();
          }}
        >
          <p className="quiet">{t("find.inFilesHint")}</p>
          <TextInput
            label={t("find.find")}
            value={terms.query}
            maxLength={queryMax}
            required
            data-autofocus
            error={problem}
            onChange={(event) => change({ query: event.currentTarget.value })}
          />
          <TextInput
            label={t("find.replaceWith")}
            description={terms.isPattern ? t("find.groupsHint") : undefined}
            value={replacement}
            maxLength={queryMax}
            onChange={(event) => {
              setReplacement(event.currentTarget.value);
              setFound(undefined);
            }}
          />
          <div className={styles.buttons}>
            <Checkbox
              label={t("find.matchCase")}
              checked={terms.matchCase}
              onChange={(event) => change({ matchCase: event.currentTarget.checked })}
            />
            <Checkbox
              label={t("find.wholeWords")}
              checked={terms.wholeWord}
              onChange={(event) => change({ wholeWord: event.currentTarget.checked })}
            />
            <Checkbox
              label={t("find.pattern")}
              checked={terms.isPattern}
              onChange={(event) => change({ isPattern: event.currentTarget.checked })}
            />
          </div>
          <div className={styles.buttons}>
            <Button
              type="submit"
              variant={found === undefined ? "filled" : "default"}
              loading={busy && found === undefined}
              disabled={terms.query === ""}
            >
              {t("find.search")}
            </Button>
            {chosen.length > 0 && (
              <Button loading={busy} data-testid="replace-chosen" onClick={() => void apply()}>
                {t("find.replaceChosen")}
              </Button>
            )}
          </div>
          {found !== undefined && <Found found={found} left={left} onLeft={setLeft} />}
        </form>
      )}
    </Modal>
  );
}

interface FoundProps {
  found: Preview;
  left: ReadonlySet<string>;
  onLeft: (left: ReadonlySet<string>) => void;
}

/** What would change, file by file. */
function Found({ found: { tracks, is_whole }, left, onLeft }: FoundProps) {
  const { label } = useLanguages();
  const chosen = tracks.filter((track) => !left.has(trackId(track)));
  const matches = chosen.reduce((sum, track) => sum + track.matches, 0);
  if (tracks.length === 0) return <Alert color="gray">{t("find.nothing")}</Alert>;
  return (
    <>
      {!is_whole && <Alert color="yellow">{t("find.notWhole")}</Alert>}
      <Checkbox
        label={`${t("find.chooseAll")} · ${t("find.chosen", { files: chosen.length, matches })}`}
        checked={left.size === 0}
        indeterminate={left.size > 0 && chosen.length > 0}
        onChange={() => onLeft(new Set(left.size === 0 ? tracks.map(trackId) : []))}
      />
      <ul className={styles.tracks}>
        {tracks.map((track) => (
          <li key={trackId(track)} data-testid="replace-track">
            <Checkbox
              label={track.name}
              description={t("find.ofTrack", {
                language: label(track.language),
                matches: track.matches,
                lines: track.lines,
              })}
              checked={!left.has(trackId(track))}
              onChange={() => {
                const next = new Set(left);
                if (!next.delete(trackId(track))) next.add(trackId(track));
                onLeft(next);
              }}
            />
            {track.examples.map(({ line, before, after }) => (
              <Changed key={line} old={before} now={after} language={track.language} />
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

interface OutcomeProps {
  done: readonly Replaced[];
  tracks: readonly FoundTrack[];
  onClose: () => void;
}

/** What was done in each file, and undo for each. */
function Outcome({ done, tracks, onClose }: OutcomeProps) {
  const { label } = useLanguages();
  const [undone, setUndone] = useState<ReadonlySet<string>>(new Set());
  const names = new Map(tracks.map((track) => [trackId(track), track.name]));
  const changed = done.filter(({ error, lines }) => error === null && lines > 0);
  const undo = async (one: Replaced) => {
    try {
      await undoReplacement(one);
      setUndone((held) => new Set([...held, trackId(one)]));
    } catch (error) {
      toast("error", (error as Error).message);
    }
  };
  const left = changed.filter((one) => !undone.has(trackId(one)));
  return (
    <div className={styles.dialog}>
      <p role="status">{t("find.done", { files: changed.length })}</p>
      <ul className={styles.tracks}>
        {done.map((one) => (
          <li key={trackId(one)} className={styles.row}>
            <span>
              {names.get(trackId(one))} · {label(one.language)}
              {one.error !== null && (
                <span className="quiet"> · {t("find.failed", { reason: one.error })}</span>
              )}
            </span>
            {undone.has(trackId(one)) ? (
              <span className="quiet">{t("find.undone")}</span>
            ) : (
              left.includes(one) && (
                <Button size="compact-sm" variant="default" onClick={() => void undo(one)}>
                  {t("find.undo")}
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        {left.length > 1 && (
          <Button variant="default" onClick={() => void Promise.all(left.map(undo))}>
            {t("find.undoAll")}
          </Button>
        )}
        <Button onClick={onClose}>{t("find.close")}</Button>
      </div>
    </div>
  );
}
