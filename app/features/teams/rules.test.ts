import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isLong } from "#test/long.ts";
import type { Position } from "#app/features/players/rules.ts";
import {
  compareTeams,
  assignTeams,
  type Friendship,
  imbalanceOf,
  levelOf,
  meanLevel,
  MOST_SWAPS,
  placeLate,
  playersNeeded,
  TEAM_COUNTS,
  type TeamCount,
  type TeamPlayer,
} from "./rules.ts";

const RUNS = { numRuns: isLong ? 2_000 : 15 };
const ROSTERS = isLong ? 1_000 : 150;
const player = (id: string, position: Position | null = null, level = 50): TeamPlayer => ({
  ...{ id, position, level },
});

const aPlayer = fc.record({
  position: fc.constantFrom<(Position | null)[]>("GK", "DEF", "MID", "MID", "FWD", null),
  level: fc.integer({ min: 20, max: 80 }),
});
const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

interface Deal {
  players: TeamPlayer[];
  count: TeamCount;
  seed: number;
  friends: Friendship[];
}

/** A roster with friends, who brought one another. */
const deals = (most = 30): fc.Arbitrary<Deal> =>
  fc
    .record({
      players: fc.array(aPlayer, { minLength: 4, maxLength: most }),
      count: fc.constantFrom<TeamCount[]>(...TEAM_COUNTS),
      seed: seeds,
      friends: fc.array(fc.tuple(fc.nat(most - 1), fc.nat(most - 1)), { maxLength: 5 }),
    })
    .filter(({ players, count }) => players.length >= playersNeeded(count))
    .map(({ players, count, seed, friends }) => ({
      ...{ count, seed },
      players: players.map((each, index) => ({ ...each, id: `p${index}` })),
      friends: friends.map(([a, b]) => [`p${a}`, `p${b}`] as const),
    }));

const deal = ({ players, ...how }: Deal) => assignTeams(players, how);
const teamsOf = (ids: string[][], players: TeamPlayer[]) =>
  ids.map((team) => team.map((id) => players.find((each) => each.id === id)!));
const spread = (values: number[]) => Math.max(...values) - Math.min(...values);
const keepersOf = (team: TeamPlayer[]) => team.filter(({ position }) => position === "GK").length;

/** How many of the groups of friends are in more teams than one, each counted that often. */
function splitsOf(ids: string[][], { players, friends }: Deal): number {
  const known = new Set(players.map(({ id }) => id));
  const groups = new Map(players.map(({ id }) => [id, new Set([id])]));
  for (const [one, other] of friends.filter((pair) => pair.every((id) => known.has(id)))) {
    const all = new Set([...groups.get(one)!, ...groups.get(other)!]);
    for (const id of all) groups.set(id, all);
  }
  const spans = [...new Set(groups.values())].map(
    (group) => ids.filter((team) => team.some((id) => group.has(id))).length - 1,
  );
  return spans.reduce((sum, span) => sum + span, 0);
}

// LONG=1 makes 2,000 teams in a test.
describe("teams that are made", { timeout: 300_000 }, () => {
  test("have every player once, and sizes that differ by one at most", () => {
    fc.assert(
      fc.property(deals(), (roster) => {
        const teams = deal(roster);
        expect(teams).toHaveLength(roster.count);
        expect(teams.flat().toSorted()).toEqual(roster.players.map(({ id }) => id).toSorted());
        expect(spread(teams.map(({ length }) => length))).toBeLessThanOrEqual(1);
      }),
      RUNS,
    );
  });

  test("are the same for the same seed, however the players are listed", () => {
    fc.assert(
      fc.property(deals(), (roster) => {
        const again = { ...roster, players: roster.players.toReversed() };
        expect(deal(again)).toEqual(deal(roster));
      }),
      RUNS,
    );
  });

  test("are others for another seed", () => {
    const players = Array.from({ length: 10 }, (_, n) => player(`p${n}`));
    const made = new Set(
      Array.from({ length: 10 }, (_, seed) =>
        JSON.stringify(assignTeams(players, { count: 2, seed })),
      ),
    );
    expect(made.size).toBeGreaterThan(5);
  });

  test("share the goalkeepers: none has two more than another", () => {
    fc.assert(
      fc.property(deals(), (roster) => {
        const teams = teamsOf(deal({ ...roster, friends: [] }), roster.players);
        expect(spread(teams.map(keepersOf))).toBeLessThanOrEqual(1);
      }),
      RUNS,
    );
  });

  test("keep friends together unless sizes forbid, then share the goalkeepers", () => {
    // From these pairs, 12 starts end in teams of three goalkeepers and one.
    const pairs: Deal = {
      ...{ count: 2, seed: 736_844_868 },
      players: (["GK", "MID", "GK", "MID", "GK", "GK", "DEF"] as const).map((position, index) =>
        player(`p${index}`, position, 20),
      ),
      friends: [
        ["p4", "p0"],
        ["p6", "p3"],
        ["p1", "p5"],
      ],
    };
    fc.assert(
      fc.property(deals(9), (roster) => {
        const rank = (ids: string[][]) =>
          splitsOf(ids, roster) * 100 + spread(teamsOf(ids, roster.players).map(keepersOf));
        const best = Math.min(...allTeams(roster).map(rank));
        expect(rank(deal(roster))).toBe(best);
      }),
      { ...RUNS, examples: [[pairs]] },
    );
  });
});

/** Every way to make teams of the same sizes. */
function allTeams({ players, count }: Deal): string[][][] {
  const most = Math.ceil(players.length / count);
  let found: string[][][] = [Array.from({ length: count }, () => [])];
  for (const { id } of players) {
    found = found.flatMap((teams) =>
      teams.flatMap((team, index) => {
        // Empty teams are alike: the first of them stands for all.
        if (team.length === most || teams.indexOf(team) !== index) return [];
        if (team.length === 0 && teams.findIndex(({ length }) => length === 0) !== index) return [];
        return [teams.with(index, [...team, id])];
      }),
    );
  }
  return found.filter((teams) => spread(teams.map(({ length }) => length)) <= 1);
}

// A deal holds the game's lock, and the process.
test.each([60, 100, 200])(
  "of %s players no more swaps are compared than allowed, and the teams are balanced",
  (size) => {
    for (const count of TEAM_COUNTS) {
      const players = fc
        .sample(aPlayer, { numRuns: size, seed: size })
        .map((each, index) => ({ ...each, id: `p${index}` }));
      const { teams, compared } = compareTeams(players, { count, seed: 1 });
      expect(compared).toBeLessThanOrEqual(size === 60 ? MOST_SWAPS - 1 : MOST_SWAPS);
      expect(imbalanceOf(teamsOf(teams, players))).toBeLessThan(65);
    }
  },
);

test("the measure adds levels, positions and goalkeepers", () => {
  const teams = [
    [player("a", "GK", 60), player("b", "GK", 50), player("c", "DEF", 70)],
    [player("d", "MID", 40), player("e", "MID", 50), player("f", null, 30)],
  ];
  expect([meanLevel(teams[0]!), meanLevel(teams[1]!), meanLevel([])]).toEqual([60, 40, 50]);
  expect(imbalanceOf(teams)).toBe(20 + 10 * (1 + 2) + 30 * 2);
  expect(imbalanceOf([teams[0]!, teams[0]!])).toBe(0);
  expect(imbalanceOf([[player("a", "FWD")], [player("b")]])).toBe(10);
});

test(`on ${ROSTERS} rosters the teams are better balanced than random ones by far`, ({
  annotate,
}) => {
  const rosters = fc.sample(deals(), { numRuns: ROSTERS, seed: 2026 });
  const compared = rosters.map((roster) => {
    const random = rosters.length + roster.seed;
    const order = roster.players.toSorted((a, b) => hash(a.id, random) - hash(b.id, random));
    const atRandom = Array.from({ length: roster.count }, (_, team) =>
      order.filter((__, index) => index % roster.count === team),
    );
    const made = teamsOf(deal(roster), roster.players);
    return { made: imbalanceOf(made), atRandom: imbalanceOf(atRandom) };
  });
  const mean = (key: "made" | "atRandom") =>
    compared.reduce((sum, each) => sum + each[key], 0) / compared.length;
  const better = compared.filter(({ made, atRandom }) => made <= atRandom).length;
  const [made, atRandom] = [mean("made").toFixed(1), mean("atRandom").toFixed(1)];
  void annotate(`imbalance ${made}, of random teams ${atRandom}; as good or better: ${better}`);
  expect(mean("made")).toBeLessThan(mean("atRandom") / 2);
  expect(better / ROSTERS).toBeGreaterThan(0.95);
});

function hash(id: string, seed: number): number {
  let value = seed;
  for (const character of id) value = Math.imul(value ^ character.charCodeAt(0), 2_654_435_761);
  return value >>> 0;
}

test.each([
  [0, 0, 50],
  [6, 6, 75],
  [0, 6, 25],
  [1, 1, 57],
  [30, 30, 92],
])("%i wins of %i recorded games are level %i", (wins, recorded, level) => {
  expect(levelOf({ wins, recorded })).toBe(level);
});

describe("who joins later goes", () => {
  const [strong, weak] = [player("s", "MID", 70), player("w", "MID", 30)];

  test("into the smallest team, and of those into the weakest", () => {
    expect(placeLate([[strong, weak], [strong]], [player("x")])).toEqual([["x", 1]]);
    expect(placeLate([[strong], [weak]], [player("x")])).toEqual([["x", 1]]);
    expect(placeLate([[weak], [strong]], [player("x"), player("y")])).toEqual([
      ["x", 0],
      ["y", 1],
    ]);
  });

  test("where no goalkeeper is, as a goalkeeper", () => {
    const keeper = player("k", "GK", 20);
    expect(placeLate([[keeper], [strong]], [player("x", "GK")])).toEqual([["x", 1]]);
    expect(placeLate([[keeper], [strong]], [player("x", "DEF")])).toEqual([["x", 0]]);
  });

  test("to their friends, where that team is not larger", () => {
    const friends: Friendship[] = [["x", "s"]];
    expect(placeLate([[strong], [weak]], [player("x")], friends)).toEqual([["x", 0]]);
    expect(placeLate([[strong, weak], [weak]], [player("x")], friends)).toEqual([["x", 1]]);
  });

  test("to a friend who is one of several there, also where others have friends", () => {
    const friends: Friendship[] = [
      ["x", "s"],
      ["y", "w"],
    ];
    const teams = [
      [strong, player("a")],
      [weak, player("b", null, 20)],
    ];
    expect(placeLate(teams, [player("x")], friends)).toEqual([["x", 0]]);
  });
});
