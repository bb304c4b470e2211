import { randomUUID } from "node:crypto";
import { sendMessage } from "#app/features/chat/send-message.server.ts";
import type { Db } from "#app/platform/db.server.ts";

/** How many minutes ago, which of the players, or the organiser, and what. */
const LINES: [minutes: number, who: number | "organiser", body: string][] = [
  [94, 0, "Hi all! Who has a light shirt for the second half?"],
  [92, 1, "I bring two, light and dark."],
  [91, 1, "And a ball, in case there is none."],
  [60, "organiser", "Balls and bibs are there. Doors open 15 minutes before kick-off."],
  [41, 2, "First time at this hall, which entrance is it?"],
  [38, 0, "The one at the back, beside the bikes. I wait there from ten to."],
];

/** A talk before one of the demo player's games. */
export async function stageChat(
  db: Db,
  { gameId, playerIds, now }: { gameId: string; playerIds: string[]; now: Date },
): Promise<void> {
  const admins = db.selectFrom("user_roles").select("user_id").where("role", "=", "admin");
  const { user_id: organiser } = await admins.executeTakeFirstOrThrow();
  for (const [minutes, who, body] of LINES) {
    const userId = who === "organiser" ? organiser : playerIds[who]!;
    const at = new Date(now.getTime() - minutes * 60_000);
    const sent = await sendMessage(db, {
      ...{ gameId, userId, body, now: at },
      messageId: randomUUID(),
    });
    if (!sent.ok) throw new Error(`demo data: ${sent.reason}`);
  }
}
