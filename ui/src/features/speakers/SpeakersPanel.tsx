import { Alert, Button, NumberInput, Progress } from "@mantine/core";
import { useState } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/speakers";
import { EmptyState } from "../../platform/page/EmptyState";
import { WithCode } from "../../platform/page/WithCode";
import { useEditor } from "../editor/context";
import type { Editing } from "../editor/editing";
import type { PanelProps } from "../editor/panels/panel";
import LookOnly from "../../domain/teams/LookOnly";
import { useView } from "../editor/useView";
import {
  isDetecting,
  useSpeakerActions,
  useSpeakers,
  type Speaker,
  type Speakers,
} from "../../domain/speakers/data";
import { AssignLines } from "./AssignLines";
import { NewSpeaker } from "./NewSpeaker";
import { SpeakerRow } from "./SpeakerRow";
import { detectionWords } from "../../domain/speakers/words";
import styles from "./speakers.module.css";

/** Who speaks in the file: detect, play, name, merge. */
export default function SpeakersPanel({ file, editing, readOnly }: PanelProps) {
  const { mayChange } = useEditor();
  const { data, error } = useSpeakers(file.slug);
  if (data !== undefined) {
    return (
      <Content
        slug={file.slug}
        data={data}
        readOnly={readOnly}
        mayChange={mayChange}
        editing={editing}
      />
    );
  }
  return error === undefined ? <EmptyState /> : <Alert color="red">{error.message}</Alert>;
}

interface Props {
  slug: string;
  data: Speakers;
  /** The captions cannot change now. */
  readOnly: boolean;
  /** Whether this person may change the file at all. */
  mayChange: boolean;
  editing: Editing;
}

function Content({ slug, data, readOnly, mayChange, editing }: Props) {
  const actions = useSpeakerActions(slug);
  const [same, setSame] = useState<{ label: string; into: string } | null>(null);
  const { speakers } = data;
  const lines = useView(editing.store, (view) => view.captions.lines.length);
  const assign = async (from: number, to: number, speaker: string) => {
    if (!(await editing.store.settled())) return;
    const chosen = editing.store.get().captions.lines.slice(from - 1, to);
    await actions.assign(
      // Speakers belong to the original: a line of a translation stands for its source.
      chosen.flatMap(({ id, source }) => source?.ids ?? [id]),
      speaker,
    );
  };
  const shownOf = (label: string) => speakers.find((one) => one.label === label)?.shown ?? label;
  const play = ({ sample }: Speaker) => {
    if (sample !== null) editing.playback.playSpan(sample.start_ms, sample.end_ms);
  };
  return (
    <div className={styles.panel}>
      {!mayChange && <LookOnly />}
      <Detection data={data} readOnly={readOnly} mayChange={mayChange} actions={actions} />
      {mayChange && same !== null && (
        <Alert color="yellow" role="alert" title={t("merge.title")}>
          <p>
            {t("merge.about", {
              into: shownOf(same.into),
              sameLabel: shownOf(same.label),
            })}
          </p>
          <div className={styles.buttons}>
            <Button
              size="xs"
              onClick={() => {
                void actions.merge(same.label, same.into);
                setSame(null);
              }}
            >
              {t("merge")}
            </Button>
            <Button size="xs" variant="default" onClick={() => setSame(null)}>
              {t("keepBoth")}
            </Button>
          </div>
        </Alert>
      )}
      <ul className={styles.list} aria-label={t("speakers")}>
        {speakers.map((speaker) => (
          <SpeakerRow
            key={speaker.label}
            speaker={speaker}
            others={speakers.filter((one) => one !== speaker)}
            actions={actions}
            readOnly={readOnly}
            mayChange={mayChange}
            onPlay={play}
            onSameName={(label, into) => setSame({ label, into })}
          />
        ))}
      </ul>
      {mayChange && <NewSpeaker readOnly={readOnly} onAdd={actions.add} />}
      {speakers.length > 0 && (
        <>
          {mayChange && (
            <AssignLines speakers={speakers} lines={lines} readOnly={readOnly} onAssign={assign} />
          )}
          <p className="quiet">{t("about")}</p>
        </>
      )}
    </div>
  );
}

type Actions = ReturnType<typeof useSpeakerActions>;

/** The state of the detection, and the way to start it. */
function Detection({
  data,
  readOnly,
  mayChange,
  actions,
}: {
  data: Speakers;
  readOnly: boolean;
  mayChange: boolean;
  actions: Actions;
}) {
  const speakersMax = usePublicConfig()?.count_limits.speakers;
  const [count, setCount] = useState<number | "">("");
  const again = data.speakers.length > 0;
  if (isDetecting(data)) {
    return (
      <section className={styles.state} aria-live="polite">
        <p>{detectionWords(data)}</p>
        <Progress value={data.progress} aria-label={t("detection.progress")} />
        {mayChange && (
          <Button size="xs" variant="default" onClick={() => void actions.cancel()}>
            {t("cancel")}
          </Button>
        )}
      </section>
    );
  }
  return (
    <section className={styles.state}>
      {data.state === "failed" && <Alert color="red">{data.error ?? t("detection.failed")}</Alert>}
      {data.state === "omitted" && (
        <Alert color="yellow" role="status">
          {detectionWords(data)}
        </Alert>
      )}
      {data.state === "cancelled" && <p className="quiet">{t("detection.cancelled")}</p>}
      {data.notes.map((note) => (
        <p key={note} className="quiet">
          {note}
        </p>
      ))}
      {!mayChange ? (
        !again && data.state === "none" && <p className="quiet">{t("nobodyLookedYet")}</p>
      ) : data.can_detect ? (
        <>
          {!again && data.state !== "failed" && <p>{t("detection.about")}</p>}
          <div className={styles.start}>
            <NumberInput
              size="sm"
              label={t("count.label")}
              placeholder={t("automatic")}
              min={1}
              max={speakersMax}
              clampBehavior="strict"
              allowDecimal={false}
              value={count}
              onChange={(value) => setCount(typeof value === "number" ? value : "")}
              onKeyDown={(event) => event.stopPropagation()}
            />
            <Button
              size="sm"
              variant={again ? "default" : "filled"}
              disabled={readOnly}
              onClick={() => void actions.detect(count === "" ? null : count)}
            >
              {again ? t("detectAgain") : t("detectSpeakers")}
            </Button>
          </div>
        </>
      ) : (
        <Alert color="gray" title={t("detection.unavailable")}>
          <WithCode text={data.reason ?? ""} />
        </Alert>
      )}
      {data.engine !== null && <p className="quiet">{t("engine", { engine: data.engine })}</p>}
    </section>
  );
}
