import { t } from "../../../platform/messages/editor";
import { differences } from "../beside/differences";
import { Rows } from "./Rows";
import styles from "./beside.module.css";

interface Props {
  old: string;
  now: string;
  language: string | undefined;
}

/** The source text as it is, with what was added and removed since it was translated. */
export function Changed({ old, now, language }: Props) {
  return (
    <p className={styles.changed} lang={language} dir="auto" data-testid="changed">
      {differences(old, now).map(({ kind, text }, index) =>
        kind === "gone" ? (
          <del key={index}>
            <span className="visually-hidden"> {t("tracks.removed")} </span>
            <Rows text={text} />
          </del>
        ) : kind === "new" ? (
          <ins key={index}>
            <span className="visually-hidden"> {t("tracks.added")} </span>
            <Rows text={text} />
          </ins>
        ) : (
          <Rows key={index} text={text} />
        ),
      )}
    </p>
  );
}
