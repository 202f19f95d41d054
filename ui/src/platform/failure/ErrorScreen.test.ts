import { expect, it } from "vitest";
import { isBot } from "./ErrorScreen";
import { cappedStep } from "../page/PageHeader";

it.each([
  ["Mozilla/5.0 (compatible; Googlebot/2.1)", true],
  ["facebookexternalhit/1.1", true],
  ["Mozilla/5.0 Chrome/144 Lighthouse", true],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/144.0 Safari/537.36", false],
])("%s gets no error page: %s", (agent, bot) => expect(isBot(agent)).toBe(bot));

it.each([
  [0, 0],
  [2, 2],
  [7, 3],
])("step %d is shown as %d", (step, shown) => expect(cappedStep(step)).toBe(shown));
