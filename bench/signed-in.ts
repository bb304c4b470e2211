import type { Server } from "./app-under-test.ts";
import { mustBe, type Round, withCpu } from "./compare.ts";
import { load, request } from "./load.ts";
import { GAME, idOf, PLAYER, type Scenario, sqlIdOf, stageGames } from "./scenario.ts";
import { median, printTable } from "./table.ts";

const CLIENTS = 32;
const ROUNDS = 3;
const SECONDS = 3;
const GAMES = 40;
const FIRST_GAME = 700_000;
/** More than there are pages in the cache, each in two games of its own choice. */
const PLAYERS = 600;

interface Case {
  name: string;
  path: string;
  /** Who opens it, in turn. */
  cookies: string[];
  toReach: [plain: string, brotli: string];
}

/** What signed-in players open most, plain and compressed: the CPU of the web process a page. */
export async function benchSignedIn(app: Server, scenario: Scenario): Promise<void> {
  const rows = [];
  for (const page of await stageCases(scenario)) {
    for (const [encoding, toReach] of [
      ["", page.toReach[0]] as const,
      ["br", page.toReach[1]] as const,
    ]) {
      const rounds = [];
      for (let round = 0; round <= ROUNDS; round += 1)
        rounds.push(await roundOf(app, page, encoding));
      // The first only warms up.
      const cpu = median(rounds.slice(1).map(({ cpuMs }) => cpuMs));
      const { perSecond, p50 } = rounds.find(({ cpuMs }) => cpuMs === cpu)!;
      const what = `${page.name}${encoding && ", Brotli"}`;
      rows.push({
        page: what,
        "CPU ms": cpu,
        "pages/s": perSecond,
        "p50 ms": p50,
        "to reach": toReach,
      });
    }
  }
  printTable(`Signed-in pages, ${CLIENTS} clients, one web process`, rows);
}

let turn = 0;

export async function roundOf(app: Server, page: Case, encoding: string): Promise<Round> {
  const texts = page.cookies.map((cookie) => request(page.path, { cookie, encoding }));
  const end = performance.now() + SECONDS * 1_000;
  const next = () => (performance.now() < end ? texts[turn++ % texts.length]! : null);
  const round = await withCpu([app], () => load(app.port, CLIENTS, next));
  if (!process.env.AB) mustBe(round, 200);
  return round;
}

export async function stageCases({ pool, cookies }: Scenario): Promise<Case[]> {
  await stageGames(pool, { from: FIRST_GAME, count: GAMES, seats: 2 * (PLAYERS / GAMES) + 10 });
  // No two players of these are in the same two games.
  await pool.query(`
    insert into bookings (user_id, game_id, payment_status)
    select ${sqlIdOf(PLAYER, "n")}, ${sqlIdOf(GAME, `${FIRST_GAME} + (n + step) % ${GAMES}`)}, 'Paid'
    from generate_series(0, ${PLAYERS - 1}) n, lateral (values (0), (1 + n / ${GAMES})) steps (step)`);
  const others = cookies.slice(PLAYERS, 2 * PLAYERS);
  const isIn = (n: number) =>
    [0, 1 + Math.floor(n / GAMES)].some((step) => (n + step) % GAMES === 0);
  const own = cookies.slice(0, PLAYERS).filter((_, n) => isIn(n));
  const list = { path: "/events", toReach: ["2.5", "3.5"] as Case["toReach"] };
  const game = {
    path: `/events/${idOf(GAME, FIRST_GAME)}`,
    toReach: ["2.5", "–"] as Case["toReach"],
  };
  return [
    { ...list, name: `/events, ${GAMES} games`, cookies: others },
    {
      ...list,
      name: "  each in two other games",
      cookies: cookies.slice(0, PLAYERS),
      toReach: ["–", "–"],
    },
    { ...game, name: "/events/{id}, not in the game", cookies: others },
    { ...game, name: "  its players", cookies: own },
  ];
}
