import { t } from "../../platform/messages/aitext";
import { IconCheck, IconRefresh, IconSquare } from "../../platform/theme/icons";
import { isChanged } from "./chips";
import type { Block } from "./data";
import { groupsOf } from "./groups";
import { SentenceView, type Listen } from "./SentenceView";
import styles from "./aitext.module.css";

interface Props {
  blocks: Block[];
  /** The language of the text, for screen readers, hyphenation and fonts. */
  language: string;
  onListen: Listen;
}

/** The text itself. */
export function Blocks({ blocks, language, onListen }: Props) {
  return (
    <div className={styles.blocks} lang={language} dir="auto" data-testid="ai-blocks">
      {groupsOf(blocks).map((group) =>
        group.kind === "list" ? (
          <ul key={group.id} className={styles.list}>
            {group.items.map((item) => (
              <li key={item.id} data-kind={item.kind} data-stale={item.stale || undefined}>
                <Mark kind={item.kind} />
                <div>
                  <Item block={item} onListen={onListen} />
                  <Changes block={item} />
                </div>
              </li>
            ))}
          </ul>
        ) : (
          <div
            key={group.id}
            data-kind={group.block.kind}
            data-stale={group.block.stale || undefined}
          >
            <Text block={group.block} onListen={onListen} />
            <Changes block={group.block} />
          </div>
        ),
      )}
    </div>
  );
}

function Text({ block, onListen }: { block: Block; onListen: Listen }) {
  const sentences = <Sentences block={block} onListen={onListen} />;
  return block.kind === "heading" ? <h3>{sentences}</h3> : <p>{sentences}</p>;
}

function Sentences({ block, onListen }: { block: Block; onListen: Listen }) {
  return block.sentences.map((sentence, index) => (
    // Sentences never move within a version.
    <SentenceView key={index} sentence={sentence} onListen={onListen} />
  ));
}

function Item({ block, onListen }: { block: Block; onListen: Listen }) {
  return (
    <>
      {block.kind === "decision" && <strong className={styles.itemName}>{t("decision")}</strong>}
      {block.kind === "action" && <strong className={styles.itemName}>{t("action")}</strong>}
      <Sentences block={block} onListen={onListen} />
      {block.owner !== null && (
        <span className={styles.fact}>
          <span className="quiet">{t("owner")}</span> {block.owner}
        </span>
      )}
      {block.due !== null && (
        <span className={styles.fact}>
          <span className="quiet">{t("due")}</span> {block.due}
        </span>
      )}
    </>
  );
}

function Mark({ kind }: { kind: Block["kind"] }) {
  if (kind === "decision") return <IconCheck size={16} aria-hidden="true" />;
  if (kind === "action") return <IconSquare size={16} aria-hidden="true" />;
  return <i className={styles.bullet} aria-hidden="true" />;
}

/** What the cited captions said when the text was written, and what they say now. */
function Changes({ block }: { block: Block }) {
  if (!block.stale) return null;
  const cites = block.sentences.flatMap((sentence) => sentence.cites).filter(isChanged);
  const changed = [...new Map(cites.map((cite) => [cite.line_id, cite])).values()];
  return (
    <details className={styles.changes}>
      <summary>
        <IconRefresh size={14} aria-hidden="true" />
        {t("stale.title")}
      </summary>
      <ul>
        {changed.map((cite) => (
          <li key={cite.line_id}>
            <del>{cite.was ?? cite.text}</del>
            {cite.is_gone ? <em>{t("cite.lineGone")}</em> : <ins>{cite.text}</ins>}
          </li>
        ))}
      </ul>
    </details>
  );
}
