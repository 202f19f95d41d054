import { describe, expect, it } from "vitest";
import { lossBetween, type Member } from "./accessLoss";

const crew = { id: "1", name: "Crew" };
const desk = { id: "2", name: "Desk" };
const ada: Member = {
  id: "ada",
  has_subscription: false,
  has_team: true,
  has_incomplete_payment: false,
  has_ended_subscription: false,
  is_admin: false,
  teams: [crew, desk],
};

describe("what somebody lost", () => {
  it.each<[string, Member | null | undefined, Member | null | undefined, unknown]>([
    ["nothing at first", undefined, ada, undefined],
    ["nothing when nothing changed", ada, { ...ada }, undefined],
    [
      "a team, with another one left",
      ada,
      { ...ada, teams: [desk] },
      { teams: ["Crew"], isAll: false },
    ],
    [
      "the last team",
      { ...ada, teams: [crew] },
      { ...ada, teams: [], has_team: false },
      { teams: ["Crew"], isAll: true },
    ],
    [
      "a team that nobody pays for any more",
      ada,
      { ...ada, has_team: false },
      { teams: [], isAll: true },
    ],
    [
      "a plan",
      { ...ada, teams: [], has_subscription: true, has_team: false },
      { ...ada, teams: [], has_team: false, has_ended_subscription: true },
      { teams: [], isAll: true },
    ],
    ["nothing when the session ended", ada, null, undefined],
    ["nothing when somebody else is here", ada, { ...ada, id: "bob", teams: [] }, undefined],
    ["nothing when support leaves", { ...ada, browse_as: {} }, { ...ada, teams: [] }, undefined],
  ])("%s", (_what, before, now, loss) => {
    const found = lossBetween(before, now, "/captions/talk");
    if (loss === undefined) expect(found).toBeUndefined();
    else expect(found).toEqual({ at: "/captions/talk", ...(loss as object) });
  });
});
