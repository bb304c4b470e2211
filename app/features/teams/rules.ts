import type { Position } from "#app/features/players/rules.ts";

export const TEAM_COUNTS = [2, 3, 4] as const;
export type TeamCount = (typeof TEAM_COUNTS)[number];
export const playersNeeded = (count: TeamCount) => 2 * count;

export interface TeamPlayer {
  id: string;
  position: Position | null;
  /** From 0 to 100, of `levelOf`. */
  level: number;
}

export type Friendship = readonly [string, string];

/** The share of recorded games won, as if six more had been played and half of them won: a newcomer
 * has 50, and a few games say little. */
export function levelOf({ wins, recorded }: { wins: number; recorded: number }): number {
  return Math.round((100 * (wins + 3)) / (recorded + 6));
}

const OUTFIELD = ["DEF", "MID", "FWD"] as const;
const POINTS = { position: 10, keepers: 30 };

/** 0 at best: points of level between the strongest and the weakest team, 10 for each outfield
 * player of a position and 30 for each goalkeeper that one team has more than another. */
export function imbalanceOf(teams: TeamPlayer[][]): number {
  const of = (position: Position) =>
    teams.map((team) => team.filter((player) => player.position === position).length);
  const positions = { GK: of("GK"), DEF: of("DEF"), MID: of("MID"), FWD: of("FWD") };
  return weighed({ means: teams.map(meanLevel), positions });
}

function weighed(teams: { means: number[]; positions: Record<Position, number[]> }): number {
  const { means, positions } = teams;
  const outfield = OUTFIELD.reduce((sum, position) => sum + spread(positions[position]), 0);
  return spread(means) + POINTS.position * outfield + POINTS.keepers * spread(positions.GK);
}

export function meanLevel(team: TeamPlayer[]): number {
  const sum = team.reduce((levels, { level }) => levels + level, 0);
  return meanOf(sum, team.length);
}

const meanOf = (sum: number, players: number) => (players === 0 ? 50 : sum / players);

const spread = (values: number[]) => Math.max(...values) - Math.min(...values);

// Sizes always stay; friends matter next, then a goalkeeper for each team.
const SPLIT_COST = 10_000;
const KEEPER_COST = 1_000;
/** Fewer players are cheaper to compare, and stay more often at teams that no single swap improves:
 * 150 starts for 9 of them, 28 for 22, 12 from 34 on. */
const startsFor = (players: number) => Math.max(12, Math.round(15_000 / (players + 1) ** 2));
/** Compared at most, under the game's lock: all for 60 players, one start of 200. */
export const MOST_SWAPS = 100_000;
/** Teams within so many points are equally good: one is drawn, so other seeds make other teams. */
const TOLERANCE = 5;

/** Lists of ids; sizes differ by at most one. Begins with several random teams and swaps players as
 * long as that helps. The same seed makes the same teams. */
export function assignTeams(
  players: TeamPlayer[],
  how: { count: TeamCount; seed: number; friends?: Friendship[] },
): string[][] {
  return compareTeams(players, how).teams;
}

export function compareTeams(
  players: TeamPlayer[],
  { count, seed, friends = [] }: Parameters<typeof assignTeams>[1],
): { teams: string[][]; compared: number } {
  const random = randomOf(seed);
  const sorted = players.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const groups = groupsOf(sorted, friends);
  const together = groups.filter(({ length }) => length > 1);
  const tries: ReturnType<typeof improved>[] = [];
  let left = MOST_SWAPS;
  for (let start = 0; start < startsFor(players.length) && left > 0; start += 1) {
    const sizes = Array.from({ length: count }, (_, team) =>
      Math.ceil((players.length - team) / count),
    );
    const order = shuffled(groups, random);
    if (start % 2 === 0) order.sort((one, other) => other.length - one.length);
    const placed = place(order, shuffled(sizes, random), random);
    const tried = improved(placed, { sorted, together, count }, left);
    left -= tried.compared;
    tries.push(tried);
  }
  const best = Math.min(...tries.map(({ cost }) => cost));
  const good = tries.filter(({ cost }) => cost <= best + TOLERANCE);
  const { teamOf } = good[Math.floor(random() * good.length)]!;
  const teams = Array.from({ length: count }, (_, team) =>
    sorted.flatMap(({ id }, index) => (teamOf[index] === team ? id : [])),
  );
  return { teams, compared: MOST_SWAPS - left };
}

interface Roster {
  sorted: TeamPlayer[];
  together: number[][];
  count: number;
}

/** Swaps two players of different teams as long as a swap makes it better, up to `most` compared. */
function improved(start: number[], roster: Roster, most: number) {
  const { teamOf, swap, costOf } = tallyOf(start, roster);
  let cost = costOf();
  let compared = 0;
  for (let before = Infinity; cost < before;) {
    before = cost;
    for (let one = 0; one < teamOf.length; one += 1) {
      for (let other = one + 1; other < teamOf.length; other += 1) {
        if (teamOf[one] === teamOf[other]) continue;
        if (compared === most) return { teamOf, cost, compared };
        compared += 1;
        swap(one, other);
        const swapped = costOf();
        if (swapped < cost) cost = swapped;
        else swap(one, other);
      }
    }
  }
  return { teamOf, cost, compared };
}

/** What the cost is made of, so that a swap only recounts the two teams that it changes. */
function tallyOf(start: number[], { sorted, together, count }: Roster) {
  const teamOf = [...start];
  const zeros = () => Array.from({ length: count }, () => 0);
  const [sizes, levels] = [zeros(), zeros()];
  const positions = { GK: zeros(), DEF: zeros(), MID: zeros(), FWD: zeros() };
  const groupOf = new Map(together.flatMap((group) => group.map((index) => [index, group])));
  const splitsOf = (group: number[]) => new Set(group.map((index) => teamOf[index])).size - 1;
  let splits = together.reduce((sum, group) => sum + splitsOf(group), 0);
  const tally = (index: number, by: 1 | -1) => {
    const [team, { level, position }] = [teamOf[index]!, sorted[index]!];
    sizes[team]! += by;
    levels[team]! += by * level;
    if (position) positions[position][team]! += by;
  };
  for (const index of sorted.keys()) tally(index, 1);
  return {
    teamOf,
    swap(one: number, other: number) {
      const groups = new Set([groupOf.get(one) ?? [], groupOf.get(other) ?? []]);
      for (const group of groups) if (group.length > 0) splits -= splitsOf(group);
      for (const index of [one, other]) tally(index, -1);
      [teamOf[one], teamOf[other]] = [teamOf[other]!, teamOf[one]!];
      for (const index of [one, other]) tally(index, 1);
      for (const group of groups) if (group.length > 0) splits += splitsOf(group);
    },
    costOf: () =>
      SPLIT_COST * splits +
      KEEPER_COST * spread(positions.GK) +
      weighed({ means: levels.map((sum, team) => meanOf(sum, sizes[team]!)), positions }),
  };
}

/** Each group into a random team that has room for all of it, otherwise where there is most room. */
function place(groups: number[][], sizes: number[], random: () => number): number[] {
  const room = [...sizes];
  const teamOf: number[] = [];
  for (const group of groups) {
    const fitting = [...room.keys()].filter((team) => room[team]! >= group.length);
    const whole = fitting[Math.floor(random() * fitting.length)];
    for (const index of group) {
      const team = whole ?? room.indexOf(Math.max(...room));
      teamOf[index] = team;
      room[team]! -= 1;
    }
  }
  return teamOf;
}

/** The players by index, those together who came together, directly or by others. */
function groupsOf(players: TeamPlayer[], friends: Friendship[]): number[][] {
  const groupOf = new Map(players.map(({ id }, index) => [id, [index]]));
  for (const [one, other] of friends) {
    const [mine, theirs] = [groupOf.get(one), groupOf.get(other)];
    if (!mine || !theirs || mine === theirs) continue;
    mine.push(...theirs);
    for (const index of theirs) groupOf.set(players[index]!.id, mine);
  }
  return [...new Set(groupOf.values())];
}

/** Places late players one by one: into a team of the fewest players, then to friends, then where a
 * goalkeeper is missing, then into the weakest. */
export function placeLate(
  teams: TeamPlayer[][],
  late: TeamPlayer[],
  friends: Friendship[] = [],
): [id: string, team: number][] {
  const filled = teams.map((team) => [...team]);
  return late.map((player) => {
    const places = filled.map((team, index) => ({
      index,
      order: [
        team.length,
        team.some((other) => areFriends(player, other, friends)) ? 0 : 1,
        player.position === "GK" ? team.filter(({ position }) => position === "GK").length : 0,
        team.reduce((sum, { level }) => sum + level, 0),
        index,
      ],
    }));
    const { index } = places.reduce((a, b) => (compare(b.order, a.order) < 0 ? b : a));
    filled[index]!.push(player);
    return [player.id, index];
  });
}

const areFriends = (one: TeamPlayer, other: TeamPlayer, friends: Friendship[]) =>
  friends.some((pair) => pair.includes(one.id) && pair.includes(other.id));

function compare(one: number[], other: number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : one[at]! - other[at]!;
}

function shuffled<T>(items: T[], random: () => number): T[] {
  const left = [...items];
  return items.map(() => left.splice(Math.floor(random() * left.length), 1)[0]!);
}

/** mulberry32: numbers from 0 up to 1 that depend on the seed alone, the same on every machine. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
