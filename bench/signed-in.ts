import type { Server } from "./app-under-test.ts";
import { mustBe, withCpu } from "./compare.ts";
import { load, request } from "./load.ts";
import { GAME, idOf, PLAYER, type Scenario, sqlIdOf, stageGames } from "./scenario.ts";
import { median, printTable } from "./table.ts";

const CLIENTS = 32;
const ROUNDS = 3;
const SECONDS = 3;
const GAMES = 40;
const FIRST_GAME = 700_000;
/** Twice as many as the pages that are kept, each in two games of their own choice. */
const PLAYERS = 600;
const ENCODINGS = ["plain", "br"] as const;

interface Case {
  name: string;
  path: string;
  /** Cookies of those who open it, in turn. */
  cookies: string[];
  toReach: Record<(typeof ENCODINGS)[number], string>;
}

/** What signed-in players open most: the CPU of the web process a page, the median of the rounds. */
export async function benchSignedIn(app: Server, scenario: Scenario): Promise<void> {
  const rows = [];
  for (const page of await stageCases(scenario)) {
    for (const encoding of ENCODINGS) rows.push(await measure(app, page, encoding));
  }
  printTable(`Signed-in pages, ${CLIENTS} clients, one web process`, rows);
}

async function measure(app: Server, page: Case, encoding: (typeof ENCODINGS)[number]) {
  const texts = page.cookies.map((cookie) => request(page.path, { cookie, encoding }));
  let turn = 0;
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const end = performance.now() + SECONDS * 1_000;
    const next = () => (performance.now() < end ? texts[turn++ % texts.length]! : null);
    rounds.push(await withCpu([app], () => load(app.port, CLIENTS, next)));
    mustBe(rounds[round]!, 200);
  }
  // The first only warms up.
  const cpu = median(rounds.slice(1).map(({ cpuMs }) => cpuMs));
  const { perSecond, p50 } = rounds.find(({ cpuMs }) => cpuMs === cpu)!;
  const measured = { "CPU ms": cpu, "pages/s": perSecond, "p50 ms": p50 };
  return { page: `${page.name}, ${encoding}`, ...measured, "to reach": page.toReach[encoding] };
}

async function stageCases({ pool, cookies }: Scenario): Promise<Case[]> {
  await stageGames(pool, { from: FIRST_GAME, count: GAMES, seats: 2 * (PLAYERS / GAMES) + 10 });
  // No two of these players are in the same two games.
  const game = (step: string) => sqlIdOf(GAME, `${FIRST_GAME} + (n + ${step}) % ${GAMES}`);
  await pool.query(`
    insert into bookings (user_id, game_id, payment_status)
    select ${sqlIdOf(PLAYER, "n")}, game, 'Paid' from generate_series(0, ${PLAYERS - 1}) n,
      lateral (values (${game("0")}), (${game(`1 + n / ${GAMES}`)})) games (game)`);
  const isInFirst = (n: number) =>
    [0, 1 + Math.floor(n / GAMES)].some((step) => (n + step) % GAMES === 0);
  const inGames = cookies.slice(0, PLAYERS);
  const others = cookies.slice(PLAYERS, 2 * PLAYERS);
  const toReach = { plain: "≤ 2.5", br: "≤ 3.5" };
  const list = { path: "/events", toReach };
  const page = { path: `/events/${idOf(GAME, FIRST_GAME)}`, toReach: { ...toReach, br: "–" } };
  const none = { plain: "–", br: "–" };
  return [
    { ...list, name: `/events, ${GAMES} games`, cookies: others },
    { ...list, name: "  each page another one", cookies: inGames, toReach: none },
    { ...page, name: "/events/{id}, who is not in", cookies: others },
    { ...page, name: "/events/{id}, who is in", cookies: inGames.filter((_, n) => isInFirst(n)) },
  ];
}
