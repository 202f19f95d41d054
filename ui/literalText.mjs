// An ESLint rule: what a page says stands in the catalogues of src/platform/messages, not in the code.

/** Attributes and properties whose text a person sees or hears. */
const SHOWN =
  /^(aria-(label|description|roledescription|valuetext)|alt|description|error|label|message|none|placeholder|title|tooltip|verb|button)$/;
/** Functions that show their text. */
const SHOWING = new Set(["toast", "usePageTitle"]);
/** Abbreviations, names, units and forms of files, which are the same in every language. */
const SAME =
  /\p{Lu}{2,}|\b(Sagascript|Whisper|Bearer|Creator|Producer|Business|Broadcaster|Enterprise|Corporate|Ctrl|Shift|Alt|DejaVu Sans|name@example\.com|https?:\/\/\S+|kB|MB|px|ms|min|s)\b/gu;

const hasWord = (text) => /\p{L}{2}/u.test(text.replace(SAME, ""));
/** Several words that start like a sentence: a capital letter, then a space and a further word. */
const isSentence = (text) => /^\s*\p{Lu}[\p{L}’']*,? +[\p{L}$]/u.test(text.replace(SAME, ""));

const textOf = (node) => {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type !== "TemplateLiteral") return undefined;
  return node.quasis.map(({ value }) => value.cooked).join("$");
};
const nameOf = ({ type, name, value }) =>
  typeof name === "string" ? name : type === "Literal" ? String(value) : "";

/** The literals that an expression may give: `a ? "x" : "y"` gives two. */
function* literals(node) {
  if (node?.type === "JSXExpressionContainer") yield* literals(node.expression);
  else if (node?.type === "ConditionalExpression") {
    yield* literals(node.consequent);
    yield* literals(node.alternate);
  } else if (node?.type === "LogicalExpression") yield* literals(node.right);
  else if (textOf(node) !== undefined) yield node;
}

export default {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      literal:
        "“{{text}}” stays in one language. Put it into src/platform/messages and take it from there.",
    },
  },
  create(context) {
    const reported = new Set();
    const report = (node, text) => {
      if (reported.has(node)) return;
      reported.add(node);
      context.report({ node, messageId: "literal", data: { text: text.trim() } });
    };
    const check = (node) => {
      for (const one of literals(node)) if (hasWord(textOf(one))) report(one, textOf(one));
    };
    const sentence = (node) => {
      const { parent } = node;
      if (/^(TSLiteralType|Import|Export)/.test(parent.type)) return;
      if (isSentence(textOf(node) ?? "")) report(node, textOf(node));
    };
    return {
      JSXText: (node) => hasWord(node.value) && report(node, node.value),
      "JSXElement > JSXExpressionContainer": check,
      JSXAttribute: (node) => SHOWN.test(nameOf(node.name)) && check(node.value),
      Property: (node) => SHOWN.test(nameOf(node.key)) && isSaid(node.value) && check(node.value),
      CallExpression: (node) =>
        SHOWING.has(node.callee.name) &&
        check(node.arguments.at(node.callee.name === "toast" ? 1 : 0)),
      Literal: sentence,
      TemplateLiteral: sentence,
    };
  },
};

/** A word in lower case is a value, such as a kind or a code. */
const isSaid = (node) => [...literals(node)].some((one) => !/^[a-z][\w.-]*$/.test(textOf(one)));
