import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import type { ChatMessageKind, NewGame } from "#app/platform/schema.ts";

/** Games whose chats are in the states that there are. */
export interface ChatIds {
  talk: string;
  silent: string;
  /** In which screens of its own write. */
  busy: string;
  closedTalk: string;
  cancelledTalk: string;
  /** The ticket of a message that was reported in the first. */
  report: string;
}

type ChatGame = Exclude<keyof ChatIds, "report">;

const TITLES: Record<ChatGame, string> = {
  talk: "A game with a chat",
  silent: "A game with an empty chat",
  busy: "A game in which much is written",
  closedTalk: "A game of last week",
  cancelledTalk: "A game that was cancelled",
};

type StageGame = (hours: number, game: Partial<NewGame>) => Promise<string>;

export async function stageChats(db: Db, stageGame: StageGame): Promise<ChatIds> {
  // Each screen has a player of its own who joins.
  const [talk, silent, busy, closedTalk, cancelledTalk] = [
    await stageGame(30, { title: TITLES.talk, max_players: 40 }),
    await stageGame(31, { title: TITLES.silent, max_players: 40 }),
    await stageGame(32, { title: TITLES.busy, max_players: 40 }),
    await stageGame(-60, { title: TITLES.closedTalk, max_players: 40 }),
    await stageGame(33, { title: TITLES.cancelledTalk, status: "Cancelled" }),
  ];
  await addLines(db, talk, TALK);
  await addLines(db, closedTalk, LAST_WEEK, 60 * 58);
  await addLines(db, cancelledTalk, LAST_WEEK);
  return { talk, silent, busy, closedTalk, cancelledTalk, report: await stageReport(db, talk) };
}

async function stageReport(db: Db, game_id: string): Promise<string> {
  const said = db.selectFrom("chat_messages").selectAll().where("game_id", "=", game_id);
  const message = await said
    .where("body", "like", "Donau%")
    .orderBy("number")
    .executeTakeFirstOrThrow();
  const writer = db
    .selectFrom("users")
    .select("id")
    .where("email", "=", "aino.virtanen@uni.example");
  const ticket = {
    ...{ user_id: (await writer.executeTakeFirstOrThrow()).id, kind: "report" as const },
    ...{ reported_message_id: message.id, reported_user_id: message.user_id },
    ...{ subject: "Chat message of Leo Laine", message: message.body!, created_at: new Date() },
  };
  const row = db.insertInto("support_messages").values(ticket).returning("id");
  return (await row.executeTakeFirstOrThrow()).id;
}

interface Line {
  minutes: number;
  who: string | null;
  body: string | null;
  kind?: ChatMessageKind;
  removed?: "Author" | "Organiser" | "AccountDeleted";
}

const TALK: Line[] = [
  {
    minutes: 1_600,
    who: "onni.korhonen",
    kind: "FirstGame",
    body: "This is Onni's first game. Say hi!",
  },
  {
    minutes: 1_590,
    who: "aino.virtanen",
    body: "Hi Onni! You find us at the back entrance, beside the bikes.",
  },
  {
    minutes: 1_589,
    who: "aino.virtanen",
    body: "Map: https://maps.example/otaniemi?entrance=back, or call me: +358 40 123 4567",
  },
  { minutes: 1_500, who: "sofia.nyman", body: null, removed: "Organiser" },
  {
    minutes: 95,
    who: "admin",
    kind: "Announcement",
    body: "We play on pitch 2\nPitch 1 is flooded. Bring a light and a dark shirt.",
  },
  { minutes: 90, who: "amira.hassan", body: "أهلا بالجميع، هل لدى أحدكم كرة؟" },
  { minutes: 88, who: "admin", body: "Balls and bibs are there." },
  {
    minutes: 60,
    who: "leo.laine",
    body: `Donaudampfschifffahrtsgesellschaftskapitänsmütze${"ä".repeat(90)}`,
  },
  { minutes: 58, who: null, body: null, removed: "AccountDeleted" },
  { minutes: 40, who: "leo.laine", body: null, removed: "Author" },
];
const LAST_WEEK: Line[] = [
  { minutes: 30, who: "aino.virtanen", body: "Great game everybody. Same time next week?" },
  { minutes: 10, who: "sofia.nyman", body: "I'm in!" },
];

async function addLines(db: Db, game_id: string, lines: Line[], agoMinutes = 0) {
  for (const { minutes, who, body, kind = "Text", removed } of lines) {
    const user = db.selectFrom("users").select("id").where("email", "=", `${who}@uni.example`);
    const at = new Date(Date.now() - (minutes + agoMinutes) * 60_000);
    const chat = db.updateTable("chats").where("game_id", "=", game_id);
    const { number } = await chat
      .set({ last_number: sql`last_number + 1` })
      .returning("last_number as number")
      .executeTakeFirstOrThrow();
    await db
      .insertInto("chat_messages")
      .values({
        ...{ game_id, number, kind, body, created_at: at },
        user_id: who && (await user.executeTakeFirstOrThrow()).id,
        pinned_at: kind === "Announcement" ? at : null,
        removed_at: removed ? at : null,
        removed_by: removed ?? null,
      })
      .execute();
  }
}

/** Puts the newcomer into the game, who has written a little where it goes on. */
export function join(game: ChatGame) {
  return async (db: Db, user_id: string) => {
    const games = db.selectFrom("games").select("id").where("title", "=", TITLES[game]);
    const { id: game_id } = await games.executeTakeFirstOrThrow();
    const booking = { user_id, game_id, payment_status: "Paid" as const, price_eur: "0" };
    await db.insertInto("bookings").values(booking).execute();
    if (game !== "talk") return;
    const { email } = await db
      .selectFrom("users")
      .select("email")
      .where("id", "=", user_id)
      .executeTakeFirstOrThrow();
    const who = email.split("@")[0]!;
    await addLines(db, game_id, [
      { minutes: 6, who, body: "I bring a second ball." },
      {
        minutes: 5,
        who,
        body: "And can take two by car from Kumpula at 17:15, just write to me here.",
      },
    ]);
  };
}

/** Joined, and was paid back when it was cancelled. */
export async function joinCancelled(db: Db, user_id: string) {
  await join("cancelledTalk")(db, user_id);
  const booking = db.updateTable("bookings").where("user_id", "=", user_id);
  const ended = { cancelled_at: new Date(), end_reason: "GameCancelled" as const };
  await booking.set({ ...ended, payment_status: "Refunded" }).execute();
}

/** Before most of it was written. */
export async function joinEarly(db: Db, user_id: string) {
  await join("talk")(db, user_id);
  const booking = db.updateTable("bookings").where("user_id", "=", user_id);
  await booking.set({ created_at: new Date(Date.now() - 30 * 3_600_000) }).execute();
}

export async function blockLeo(db: Db, user_id: string) {
  await join("talk")(db, user_id);
  const leo = db.selectFrom("users").select("id").where("email", "=", "leo.laine@uni.example");
  const { id: blocked_id } = await leo.executeTakeFirstOrThrow();
  await db.insertInto("player_blocks").values({ user_id, blocked_id }).execute();
}

export const chatOf = (game: ChatGame) => (scenario: ChatIds) => `/events/${scenario[game]}/chat`;
