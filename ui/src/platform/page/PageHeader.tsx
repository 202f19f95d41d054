import { TextInput, Title } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { t } from "../messages/shell";
import styles from "./pageheader.module.css";

/** A page shows at most this many steps. */
export const MAX_STEP = 3;

export const cappedStep = (step: number): number => Math.max(0, Math.min(MAX_STEP, step));

interface Props {
  name: string;
  icon: ReactNode;
  /** 1 to 3; more is shown as 3. */
  step?: number;
  colour?: string;
  greyedOut?: boolean;
  /** The most letters a name may have. */
  nameMax?: number;
  /** Given when the name can be changed here. */
  onRename?: (name: string) => Promise<boolean>;
  children?: ReactNode;
}

/** The header of a page about one thing: its name, icon and step. */
export function PageHeader(props: Props) {
  const { name, icon, step, colour, greyedOut = false, nameMax, onRename, children } = props;
  const [text, setText] = useState<string>();
  const save = async () => {
    const next = text?.trim() ?? "";
    if (onRename !== undefined && next !== "" && next !== name) await onRename(next);
    setText(undefined);
  };
  return (
    <header className={styles.pageHeader} data-greyed={greyedOut || undefined}>
      <span className={styles.pageHeaderIcon} style={{ background: colour }} aria-hidden="true">
        {icon}
      </span>
      <div className={styles.pageHeaderName}>
        {step !== undefined && (
          <p className="quiet">{t("page.step", { step: cappedStep(step), maxStep: MAX_STEP })}</p>
        )}
        {text === undefined ? (
          <Title order={1}>
            {onRename === undefined ? (
              name
            ) : (
              <button type="button" title={t("page.rename")} onClick={() => setText(name)}>
                {name}
              </button>
            )}
          </Title>
        ) : (
          <TextInput
            aria-label={t("page.name")}
            value={text}
            autoFocus
            maxLength={nameMax}
            onChange={(event) => setText(event.currentTarget.value)}
            onBlur={() => void save()}
            onKeyDown={(event) => {
              if (event.key === "Enter") void save();
              if (event.key === "Escape") setText(undefined);
            }}
          />
        )}
      </div>
      <div className={styles.pageHeaderTools}>{children}</div>
    </header>
  );
}
