// @vitest-environment jsdom
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { inlineTags } from "./inlineTags";

const origin = window.location.origin;

it.each([
  ["Nothing here", "Nothing here"],
  ["<b>Two</b> of <i>them</i><br>here", "<b>Two</b> of <i>them</i><br/>here"],
  ["<b>one <i>in</i> the other</b>", "<b>one <i>in</i> the other</b>"],
  ['<a href="/captions">Files</a>', '<a href="/captions">Files</a>'],
  [`<a href="${origin}/x">here</a>`, `<a href="${origin}/x">here</a>`],
  [
    '<a href="https://example.com">out</a>',
    "&lt;a href=&quot;https://example.com&quot;&gt;out&lt;/a&gt;",
  ],
  [
    '<a href="javascript:alert(1)">run</a>',
    "&lt;a href=&quot;javascript:alert(1)&quot;&gt;run&lt;/a&gt;",
  ],
  ["<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"],
  ["<b onclick=x>no</b>", "&lt;b onclick=x&gt;no&lt;/b&gt;"],
  ["<b>never closed", "&lt;b&gt;never closed"],
])("draws %s", (text, html) => expect(renderToStaticMarkup(inlineTags(text))).toBe(html));
