import { randomUUID } from "node:crypto";
import { anAdmin } from "./admin.ts";
import { monthlyPurchase, singlePurchase, somePacks, deliverEvents } from "./payments.ts";
import { signIn } from "./visit.ts";
import { aGame, aPlayer, aVenue, NOW } from "./fixtures.ts";
import { storeDefaults } from "../db/defaults.ts";
import { announce, stopAnnouncement } from "#app/features/announcements/announcements.server.ts";
import { countAudience } from "#app/features/announcements/audience.server.ts";
import { findFeedToken, turnOnFeed } from "#app/features/bookings/calendar-feeds.server.ts";
import { cancelGames } from "#app/features/organise/bulk-cancellations.server.ts";
import { cancelKey, readGames } from "#app/features/organise/cancel-games.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { addPartner } from "#app/features/partners/partners.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { shareCard } from "#app/features/players/cards.server.ts";
import { sendMessage } from "#app/features/support/tickets.server.ts";

/** Values for the parameters of addresses and the fields of forms. */
export type Things = Record<string, string>;

export interface MatrixScenario {
  /** Things of the player who asks, and of another one. */
  own: Things;
  foreign: Things;
  /** Cookie headers of those who ask, each fresh. */
  cookieOf: Record<string, () => Promise<string>>;
}

/** Something of every kind that an address can name, and one of each who may ask for it. */
export async function matrixScenario(app: App): Promise<MatrixScenario> {
  await somePacks(app.db);
  await storeDefaults(app.db, app.env);
  const venueId = await aVenue(app.db);
  const partnerId = randomUUID();
  await addPartner(app.db, { id: partnerId, name: "Sisu", website_url: null, sort_order: 1 });
  const pack = app.db
    .selectFrom("credit_packs")
    .select("id")
    .where("pack_key", "=", "pay_per_game");
  const { id: packId } = await pack.executeTakeFirstOrThrow();
  const gameId = await aGame(app.db, { venue_id: venueId });
  const admin = await anAdmin(app);
  const cancellationId = await aCancellation(app, admin.id);
  const announcementId = await anAnnouncement(app.db, admin.id);
  const page = { pageType: "terms", version: "1" };
  const site = { venueId, partnerId, packId, gameId, cancellationId, announcementId, ...page };
  const shared = { ...site, packKey: "pay_per_game", metric: "players", "*": "no/such" };
  const [own, foreign] = [await aLife(app, gameId), await aLife(app, gameId)];
  return {
    own: { ...shared, ...own },
    foreign: { ...shared, ...foreign },
    cookieOf: {
      visitor: async () => "",
      player: () => signIn(app, own.playerId!),
      admin: () => signIn(app, admin.id),
      demoted: await aDemoted(app),
      suspended: await aSuspended(app),
    },
  };
}

/** Stopped, so that nothing of it is sent. */
async function anAnnouncement(db: App["db"], actor: string): Promise<string> {
  const announcementId = randomUUID();
  const text = { subject: "News", message: "Come and play." };
  const input = { audience: "everybody", kind: "important-announcement", ...text } as const;
  const shown = await countAudience(db, { to: input, kind: input.kind, now: NOW });
  const sent = await announce(db, { announcementId, input, shown, actor, now: NOW });
  if (!sent.ok) throw new Error(sent.reason);
  await stopAnnouncement(db, { id: announcementId, isStopped: true, actor, now: NOW });
  return announcementId;
}

async function aCancellation({ db, jobs, now }: App, actor: string): Promise<string> {
  const gameIds = [await aGame(db)];
  const games = await readGames(db, gameIds);
  const shown = new Map(games.map((game) => [game.id, cancelKey(game)]));
  const form = { shown, actor, message: null, formKey: undefined, now: now() };
  return (await cancelGames(db, jobs, form)).id;
}

/** A player with a booking, a purchase, a subscription, a ticket and a shared card. */
async function aLife(app: App, gameId: string): Promise<Things> {
  const { db, jobs } = app;
  const playerId = await aPlayer(db, { credits: 50 });
  const joined = await joinGame(db, jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  const [pack, plan] = [singlePurchase(playerId), monthlyPurchase(playerId)];
  await deliverEvents({ db, jobs }, [pack.completed, plan.completed, plan.created, plan.paid(0)]);
  const ticket = { userId: playerId, subject: "Shoes", message: "Lost" };
  await sendMessage(db, jobs, ticket, NOW);
  await turnOnFeed(db, playerId);
  const idOf = async (table: "payments" | "support_messages") => {
    const rows = db.selectFrom(table).select("id").where("user_id", "=", playerId);
    return (await rows.executeTakeFirstOrThrow()).id;
  };
  return {
    userId: playerId,
    playerId,
    bookingId: joined.bookingId,
    subscriptionId: plan.id,
    sessionId: pack.id,
    paymentId: await idOf("payments"),
    ticketId: await idOf("support_messages"),
    token: await shareCard(db, playerId),
    feedToken: (await findFeedToken(db, playerId))!,
  };
}

/** Sessions of somebody who was an admin when they began. */
async function aDemoted(app: App): Promise<() => Promise<string>> {
  const { id } = await anAdmin(app);
  const role = { user_id: id, role: "admin" as const };
  return async () => {
    await app.db
      .insertInto("user_roles")
      .values(role)
      .onConflict((one) => one.doNothing())
      .execute();
    const cookie = await signIn(app, id);
    await app.db.deleteFrom("user_roles").where("user_id", "=", id).execute();
    return cookie;
  };
}

/** Sessions that began before, as one may that is being opened at the moment of a suspension. */
async function aSuspended(app: App): Promise<() => Promise<string>> {
  const id = await aPlayer(app.db, { credits: 50 });
  const suspend = (at: Date | null) =>
    app.db
      .updateTable("users")
      .set({ suspended_at: at, suspended_reason: at && "Rough play" })
      .where("id", "=", id)
      .execute();
  return async () => {
    await suspend(null);
    const cookie = await signIn(app, id);
    await suspend(NOW);
    return cookie;
  };
}
