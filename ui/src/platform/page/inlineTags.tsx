import { Fragment, type ReactNode } from "react";

/** A sentence with `<b>`, `<i>`, `<br>` and links within this site as elements. Every other tag shows as it is written. */
export function inlineTags(text: string): ReactNode {
  const parts = text.split(TAG);
  const [nodes] = read(parts, 0, undefined);
  return <>{nodes}</>;
}

const TAG = /(<\/?(?:b|i)>|<br ?\/?>|<a href="[^"<>]*">|<\/a>)/;

function read(parts: string[], start: number, closing: string | undefined): [ReactNode[], number] {
  const nodes: ReactNode[] = [];
  let at = start;
  while (at < parts.length) {
    const part = parts[at] ?? "";
    if (part === closing) return [nodes, at + 1];
    const name = /^<(b|i|a)(?: href="[^"]*")?>$/.exec(part)?.[1];
    const end = name === undefined ? -1 : parts.indexOf(`</${name}>`, at);
    if (name !== undefined && end !== -1 && isOpen(part)) {
      const [children, next] = read(parts.slice(0, end + 1), at + 1, `</${name}>`);
      nodes.push(<Fragment key={at}>{element(name, part, children)}</Fragment>);
      at = next;
    } else {
      nodes.push(/^<br ?\/?>$/.test(part) ? <br key={at} /> : part);
      at += 1;
    }
  }
  return [nodes, at];
}

const hrefOf = (tag: string): string => /href="([^"]*)"/.exec(tag)?.[1] ?? "";

/** Whether a tag is one that we draw: links stay within this site. */
function isOpen(tag: string): boolean {
  if (!tag.startsWith("<a ")) return true;
  try {
    const { origin } = window.location;
    return new URL(hrefOf(tag), origin).origin === origin;
  } catch {
    return false;
  }
}

function element(name: string, tag: string, children: ReactNode[]): ReactNode {
  if (name === "a") return <a href={hrefOf(tag)}>{children}</a>;
  return name === "b" ? <b>{children}</b> : <i>{children}</i>;
}
