import { randomUUID } from "node:crypto";
import { openJobs } from "#app/jobs.server.ts";
import { joinWaitlist } from "#app/features/waitlist/join-waitlist.server.ts";
import { connectWithoutLimits } from "#app/platform/db.server.ts";
import { type Server, startApp } from "./app-under-test.ts";
import { joinAll } from "./joins.ts";
import { ask, request } from "./load.ts";
import { GAME, idOf, PLAYER, type Scenario, stageGames } from "./scenario.ts";
import { printTable } from "./table.ts";

const GAMES = 10;
const WAITING = 20;
const FIRST_GAME = 800_000;

/** From the commit that frees a spot to the commit that books it for the first who waits. */
export async function benchWaitlist(app: Server, scenario: Scenario): Promise<void> {
  const seats = await watchSeats(scenario);
  const rows: Record<string, string | number>[] = [];
  const measure = async (processes: string, apps: Server[], first: number) => {
    const oneByOne = await fullGames(app, scenario, { first, seats: 10 });
    for (const [n, cancellation] of oneByOne.entries()) {
      const filled = seats.untilFilled(1);
      await cancel(apps[n % apps.length]!, cancellation);
      await filled;
    }
    rows.push(row(`${oneByOne.length}, one by one`, processes, seats.takeTimes()));
    const atOnce = await fullGames(app, scenario, { first: first + GAMES, seats: 5 });
    const filled = seats.untilFilled(atOnce.length);
    await Promise.all(atOnce.map((one, n) => cancel(apps[n % apps.length]!, one)));
    await filled;
    rows.push(row(`${atOnce.length} at once`, processes, seats.takeTimes()));
  };
  await measure("one", [app], FIRST_GAME);
  const second = await startApp(scenario.dataDir);
  await measure("two", [app, second], FIRST_GAME + 100);
  await second.stop();
  await seats.close();
  printTable(`Freed spot to booked, ${GAMES} games with ${WAITING} waiting each`, rows);
}

function row(cancellations: string, processes: string, times: number[]) {
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
  const measured = { "p50 ms": at(0.5), "p95 ms": at(0.95), "max ms": at(1) };
  return { cancellations, processes, ...measured, "to reach": "p95 ≤ 2,000" };
}

interface Cancellation {
  cookie: string | undefined;
  bookingId: string;
}

/** A list of each, and all their bookings, in turn through the games. */
async function fullGames(
  app: Server,
  scenario: Scenario,
  { first, seats }: { first: number; seats: number },
): Promise<Cancellation[]> {
  await stageGames(scenario.pool, { from: first, count: GAMES, seats });
  const taken = GAMES * seats;
  await joinAll(app, scenario, { games: GAMES, first }, { end: taken });
  const jobs = await openJobs(scenario.pool, "of no job with a token");
  for (let n = 0; n < GAMES * WAITING; n += 1) {
    const wish = { mode: "auto", untilHours: 0, formKey: randomUUID(), now: new Date() } as const;
    const ids = { gameId: idOf(GAME, first + (n % GAMES)), playerId: idOf(PLAYER, taken + n) };
    const waits = await joinWaitlist(scenario.db, jobs, { ...ids, ...wish });
    if (!waits.ok) throw new Error(waits.reason);
  }
  await jobs.stop();
  const players = Array.from({ length: taken }, (_, n) => idOf(PLAYER, n));
  const { rows } = await scenario.pool.query<{ id: string; user_id: string }>(
    `select b.id, user_id from bookings b join games on games.id = game_id
     where user_id = any($1) and payment_status = 'Paid' and game_id >= $2 and game_id < $3`,
    [players, idOf(GAME, first), idOf(GAME, first + GAMES)],
  );
  const bookings = new Map(rows.map(({ id, user_id }) => [user_id, id]));
  return players.map((id, n) => ({
    cookie: scenario.cookies[n],
    bookingId: bookings.get(id)!,
  }));
}

async function cancel({ port }: Server, { cookie, bookingId }: Cancellation): Promise<void> {
  const form = `intent=cancel&bookingId=${bookingId}`;
  const { status } = await ask(port, request("/bookings", { cookie, form }));
  if (status !== 302) throw new Error(`cancelling: ${status}`);
}

/** Every commit that frees or takes a seat, in the order of the commits; the first freed is filled first. */
async function watchSeats({ pool }: Scenario) {
  await pool.query(`
    create or replace function bench_seats() returns trigger language plpgsql as $$
    begin
      perform pg_notify('bench_seats', new.id || ' ' || new.seats_taken - old.seats_taken);
      return null;
    end $$;
    create or replace trigger bench_seats after update of seats_taken on games
      for each row execute function bench_seats()`);
  const client = await connectWithoutLimits(pool);
  const freed = new Map<string, number[]>();
  let times: number[] = [];
  let wanted = Number.POSITIVE_INFINITY;
  let reach = () => {};
  client.on("notification", ({ payload = "" }) => {
    const now = performance.now();
    const [gameId = "", change] = payload.split(" ");
    const open = freed.get(gameId) ?? [];
    freed.set(gameId, open);
    if (change === "-1") open.push(now);
    else if (open.length > 0) times.push(now - open.shift()!);
    if (times.length >= wanted) reach();
  });
  await client.query("listen bench_seats");
  return {
    /** Until so many more spots have been filled. */
    untilFilled(count: number): Promise<void> {
      wanted = times.length + count;
      return new Promise((resolve) => (reach = resolve));
    },
    takeTimes(): number[] {
      const sorted = times.toSorted((a, b) => a - b);
      times = [];
      return sorted;
    },
    close: () => client.end(),
  };
}
