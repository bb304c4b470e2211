import { sql } from "kysely";
import { discardWaitingJobs } from "#app/platform/jobs.server.ts";
import { type Server, startApp } from "./app-under-test.ts";
import { type Comparison, comparisonRow, inTurns, mustBe, type Round, withCpu } from "./compare.ts";
import { load, request } from "./load.ts";
import { type FloorRun, hasPgbench, runFloor, type Transaction } from "./pgbench.ts";
import { statementsOf } from "./statements.ts";
import { printTable } from "./table.ts";
import {
  BOOKING,
  GAME,
  idOf,
  openScenario,
  PLAYER,
  stageGames,
  type Scenario,
} from "./scenario.ts";

const CLIENTS = 32;
const ROUNDS = 3;
const SECONDS = 2;

/** Joins over HTTP by distinct players, beside the same transaction without HTTP. */
export async function benchJoins(dataDir: string): Promise<void> {
  if (!hasPgbench)
    console.log("\npgbench is not on the PATH: the floor is a loop over pg instead.");
  const first = await startApp(dataDir);
  const scenario = await openScenario(dataDir);
  try {
    // A hot game holds more than a real one may; the check is no part of what is measured.
    await sql`alter table games drop constraint if exists games_max_players_check`.execute(
      scenario.db,
    );
    await bookBefore(scenario);
    const transaction = await captureJoin(first, scenario);
    await compareAll({ web: first }, scenario, transaction, "One process sends the emails too");
    await first.stop();
    // Processes of docs/deploy.md.
    const [web, worker] = [await startApp(dataDir, "web"), await startApp(dataDir, "worker")];
    await compareAll({ web, worker }, scenario, transaction, "Emails by a process of their own");
    await Promise.all([web.stop(), worker.stop()]);
  } finally {
    await scenario.close();
  }
}

interface Processes {
  web: Server;
  worker?: Server;
}

async function compareAll(
  processes: Processes,
  scenario: Scenario,
  transaction: Transaction,
  title: string,
) {
  const compare = async (name: string, place: Place, ratio: string) => {
    const comparison = await compareJoins(processes, scenario, transaction, place);
    const row = comparisonRow(`join over HTTP, ${name}`, comparison, `≥ ${ratio}, CPU ≤ 3`);
    return { ...row, "worker CPU": comparison.app.workerMs };
  };
  await warmUp(processes.web, scenario);
  const rows = [
    await compare("200 games", nextGames(200), "0.5"),
    await compare("40 games", nextGames(40), "0.5"),
    await compare("one hot game", nextGames(1), "1"),
  ];
  const floor = hasPgbench ? "pgbench" : "a loop over pg";
  const what = `joins of ${transaction.statements.length} statements, ${CLIENTS} clients`;
  printTable(`${title}: ${what} (floor: ${floor})`, rows);
}

/** Warms the process up: a new one takes up to twice the CPU a join. */
async function warmUp(web: Server, scenario: Scenario) {
  for (let round = 0; round < 8; round += 1) {
    const { first } = nextGames(1);
    await stageGames(scenario.pool, { from: first, count: 1, seats: 100_000 });
    await joinAll(web, scenario, { games: 1, first }, { seconds: SECONDS });
  }
}

let firstFree = 1_000;

/** Games that nobody has joined, enough for every turn of a comparison. */
function nextGames(games: number): Place {
  const first = firstFree;
  firstFree += games * 2 * (ROUNDS + 1);
  return { games, first };
}

/** Only the first join of a player is announced in the chat: most are others. */
async function bookBefore({ pool }: Scenario): Promise<void> {
  await stageGames(pool, { from: 998, count: 1, seats: 1 });
  await pool.query(
    `insert into bookings (user_id, game_id, payment_status)
     select user_id, $1, 'Cancelled' from profiles where email like '%@bench.example'`,
    [idOf(GAME, 998)],
  );
}

/** The join's own transaction, as the database saw it. */
async function captureJoin(app: Server, scenario: Scenario): Promise<Transaction> {
  const game = { from: 999, count: 1, seats: 10 };
  await stageGames(scenario.pool, game);
  const place = { games: 1, first: game.from };
  await joinAll(app, scenario, place, { end: 1 });
  const all = await statementsOf(scenario, () =>
    joinAll(app, scenario, place, { from: 1, end: 2 }),
  );
  const begin = all.findIndex(({ text }) => text.startsWith("begin"));
  const end = all.findIndex(({ text }) => text === "commit");
  // The floor does not ask for the transaction's id.
  const statements = [{ text: "begin", values: [] }, ...all.slice(begin + 1, end + 1)];
  const { rows } = await sql<{ id: string }>`select id from bookings
    where user_id = ${idOf(PLAYER, 1)} and game_id = ${idOf(GAME, game.from)}`.execute(scenario.db);
  return {
    statements,
    ids: [
      { captured: rows[0]!.id, kind: BOOKING, variable: "booking" },
      { captured: idOf(GAME, game.from), kind: GAME, variable: "game" },
      { captured: idOf(PLAYER, 1), kind: PLAYER, variable: "player" },
    ],
  };
}

interface Place {
  games: number;
  first: number;
}

interface JoinRound extends Round {
  /** CPU of the worker in the meantime, in milliseconds a join; emails may still wait then. */
  workerMs: number | "–";
}

/** Every run gets games of its own; booked-up queues are emptied, so that rounds stay alike. */
async function compareJoins(
  { web, worker }: Processes,
  scenario: Scenario,
  transaction: Transaction,
  { games, first }: Place,
): Promise<Comparison<JoinRound, FloorRun>> {
  const fresh = async (turn: number) => {
    const from = first + turn * games;
    await stageGames(scenario.pool, { from, count: games, seats: 100_000 });
    await discardWaitingJobs(scenario.db);
    return from;
  };
  return inTurns(
    ROUNDS,
    async (round) => {
      const from = await fresh(round * 2);
      const join = () => joinAll(web, scenario, { games, first: from }, { seconds: SECONDS });
      if (!worker) return { ...(await join()), workerMs: "–" };
      let joined!: Round;
      const { cpuMs } = await withCpu([worker], async () => (joined = await join()));
      return { ...joined, workerMs: cpuMs };
    },
    async (round) =>
      runFloor(scenario, transaction, {
        clients: CLIENTS,
        seconds: SECONDS,
        each: Math.floor(scenario.cookies.length / CLIENTS),
        games,
        firstGame: await fresh(round * 2 + 1),
        firstBooking: (first + round) * 20_000,
      }),
  );
}

/** Which players join, and for how long at most. */
interface Range {
  from?: number;
  end?: number;
  seconds?: number;
}

export async function joinAll(
  app: Server,
  scenario: Scenario,
  { games, first }: Place,
  range: Range,
) {
  const { from = 0, end = scenario.cookies.length, seconds = 60 } = range;
  const until = performance.now() + seconds * 1_000;
  let player = from;
  const next = () => {
    if (player >= end || performance.now() > until) return null;
    const cookie = scenario.cookies[player];
    const path = `/events/${idOf(GAME, first + (player % games))}`;
    player += 1;
    return request(path, { cookie, form: "intent=join&priceShown=10" });
  };
  const round = await withCpu([app], () => load(app.port, Math.min(CLIENTS, end - from), next));
  mustBe(round, 302);
  return round;
}
