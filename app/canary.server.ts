import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type pg from "pg";
import type { RequestHandler } from "react-router";
import { createAccounts } from "#app/features/accounts/accounts.server.ts";
import { insertPlayer } from "#app/features/players/profiles.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import { addDays, helsinkiDate } from "#app/platform/clock.ts";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { canary, type CanaryStep } from "#app/platform/observability/metrics.server.ts";
import { withinRequest } from "#app/platform/postgres/database-time.server.ts";
import { rolledBack } from "#app/platform/postgres/outer-transaction.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { signInCookie } from "#app/routes/cookies.server.ts";
import { receiveRequest } from "#app/routes/receive-request.server.ts";

interface Site {
  app: App;
  /** The one that players' requests use. */
  pool: pg.Pool;
  handle: RequestHandler;
}

/** Twice between a failure and its alert (deploy/prometheus/alerts.yml). */
export const CANARY_MS = 20_000;

/**
 * Books and cancels as a player does: session, page, form, use case. All of it in one transaction
 * that is rolled back: nobody ever sees it. Throws where an action fails.
 */
export function createCanary({ app, pool, handle }: Site): () => Promise<void> {
  // The same in each run, since pages are kept by what they show.
  const ids = { game: randomUUID(), venue: randomUUID() };
  canary.begin();
  return async () => {
    const end = canary.seconds.startTimer();
    let step: CanaryStep = "prepare";
    const at = (next: CanaryStep) => (step = next);
    try {
      await withinRequest(async () => {
        await rolledBack(pool, (db) => play({ app: appOn(app, pool, db), handle, ids, at }));
        at("commit");
        await commitNothing(pool);
      });
      canary.succeed();
    } catch (error) {
      canary.failures.inc({ step });
      // What repeats is logged once a minute; another reason is another error.
      const { code = step } = error as { code?: string };
      throw Object.assign(new Error(`the canary fails: ${step}`, { cause: error }), { code });
    } finally {
      end();
    }
  };
}

function appOn(app: App, pool: pg.Pool, db: Db): App {
  const accounts = createAccounts({ env: app.env, db, pool });
  // A replica does not see what is not committed.
  return { ...app, db, accounts, replica: undefined };
}

interface Run {
  app: App;
  handle: RequestHandler;
  ids: { game: string; venue: string };
  at(step: CanaryStep): void;
}

async function play({ app, handle, ids, at }: Run): Promise<void> {
  const playerId = await prepare(app, ids);
  const session = await app.accounts.openSession(playerId, { now: app.now() });
  const cookie = (await signInCookie(app.env, session)).split(";")[0] ?? "";
  const send = sender({ app, handle, cookie });
  const page = `/events/${ids.game}`;
  at("page");
  const join = fieldsOfForm(await send(page), "join");
  at("join");
  await send(page, join);
  await expectBooking(app.db, { playerId, status: "Paid" });
  at("tickets");
  const cancel = fieldsOfForm(await send("/bookings"), "cancel");
  at("cancel");
  await send("/bookings", cancel);
  at("books");
  await expectBooking(app.db, { playerId, status: "Refunded" });
}

/** A game in three days at a venue of its own, and a player with the credits for it. */
async function prepare({ db, now }: App, ids: Run["ids"]): Promise<string> {
  const place = { name: "Canary", city: "Nowhere", address: "None" };
  await db
    .insertInto("venues")
    .values({ id: ids.venue, ...place })
    .execute();
  const date = addDays(helsinkiDate(now()), 3);
  const times = { date, start_time: "12:00", end_time: "13:00" };
  const game = { title: "Canary", status: "Published" as const, max_players: 2, ...times };
  await db
    .insertInto("games")
    .values({ id: ids.game, venue_id: ids.venue, ...game })
    .execute();
  const player = {
    email: `${ids.game}@canary.invalid`,
    firstName: "Canary",
    lastName: "Canary",
    passwordHash: "no password leads here",
    dateOfBirth: "2000-01-01",
    schoolYear: "Master" as const,
    major: "None",
    phone: null,
  };
  const playerId = (await db.transaction().execute((tx) => insertPlayer(tx, player)))!;
  await topUp(db, { userId: playerId, amountCents: CREDITS_CENTS, key: playerId });
  return playerId;
}

const CREDITS_CENTS = 1_000;
/** Of the price, a day and more before kick-off. */
const LEAST_BACK_CENTS = 1;

type Send = (path: string, form?: URLSearchParams) => Promise<string>;

function sender({ app, handle, cookie }: Pick<Run, "app" | "handle"> & { cookie: string }): Send {
  const { origin, host } = new URL(app.env.appUrl);
  return async (path, form) => {
    const headers = { cookie, host, origin };
    const sent = form ? { method: "POST", headers, body: form } : { headers };
    const received = await receiveRequest(app, new Request(origin + path, sent), "127.0.0.1");
    const response =
      received instanceof Response ? received : await handle(received.request, received.context);
    if (response.status >= 400) throw new Error(`${path} responds with ${response.status}`);
    return response.text();
  };
}

interface Expected {
  playerId: string;
  status: "Paid" | "Refunded";
}

/** What the response says is not enough: the booking, and the balance by the ledger. */
async function expectBooking(db: Db, { playerId, status }: Expected): Promise<void> {
  const { rows } = await sql<{ status: string | null; balance: number; ledger: number }>`
    select (select payment_status from bookings where user_id = ${playerId}) as status,
      ${inCents("wallet_balance_eur")} as balance,
      (select ${inCents(sql`sum(amount_eur)`)} from wallet_transactions
        where user_id = ${playerId}) as ledger
    from profiles where user_id = ${playerId}`.execute(db);
  const { balance, ledger, status: stored } = rows[0]!;
  const isBooked = status === "Paid";
  if (stored === status && balance === ledger && isBooked === balance < LEAST_BACK_CENTS) return;
  throw new Error(`${stored} instead of ${status}, balance ${balance}, ledger ${ledger}`);
}

/** What is rolled back does not show whether anything can be committed. */
async function commitNothing(pool: pg.Pool): Promise<void> {
  // Writes to the log without a row; its commit still waits for the disk and the standby.
  await pool.query("select pg_logical_emit_message(true, 'canary', '')");
}

/**
 * The fields of a page's form with this intent, as a browser without JavaScript would send them.
 * Throws where the page has none. For pages that the site itself has rendered.
 */
export function fieldsOfForm(page: string, intent: string): URLSearchParams {
  const fields = page.split("<form").map((from) => {
    const [form = ""] = from.split("</form>", 1);
    const tags = form
      .split("<")
      .filter((tag) => tag.startsWith("input") || tag.startsWith("button"));
    return new URLSearchParams(
      tags.flatMap((tag) => {
        const name = attribute(tag, "name");
        return name ? [[name, attribute(tag, "value") ?? ""]] : [];
      }),
    );
  });
  const found = fields.find((each) => each.get("intent") === intent);
  if (!found) throw new Error(`the page has no form to ${intent}`);
  return found;
}

function attribute(tag: string, name: string): string | undefined {
  const [, after] = tag.split(">", 1)[0]!.split(` ${name}="`, 2);
  const value = after?.split('"', 1)[0];
  return value?.replace(/&(amp|lt|gt|quot|#x27);/g, (_, entity: string) => ENTITIES[entity]!);
}

/** Those that React writes. */
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
