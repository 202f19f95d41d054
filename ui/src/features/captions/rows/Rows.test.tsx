// @vitest-environment jsdom
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { differences } from "../beside/differences";
import { Rows } from "./Rows";

afterEach(cleanup);

it("gives a row break an element of its own and leaves the text as it is", () => {
  const { container } = render(<Rows text={"one two\nthree\nfour"} />);
  expect(container.textContent).toBe("one two\nthree\nfour");
  expect([...container.querySelectorAll("span")].map((sign) => sign.textContent)).toEqual([
    "\n",
    "\n",
  ]);
});

it("a text in one row has no sign", () => {
  const { container } = render(<Rows text="one two" />);
  expect(container.innerHTML).toBe("one two");
});

it("a difference in rows alone is one", () => {
  expect(differences("one two three", "one two\nthree")).toEqual([
    { kind: "same", text: "one two" },
    { kind: "gone", text: " " },
    { kind: "new", text: "\n" },
    { kind: "same", text: "three" },
  ]);
});
