import { listSentMessages } from "#app/features/organise/message-players.server.ts";
import { playersText } from "#app/features/games/rules.ts";
import { formatMoment } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";

export async function loadSentMessages(db: Db, gameId: string) {
  const messages = await listSentMessages(db, gameId);
  return messages.map(({ sentAt, sentBy, players, ...message }) => ({
    ...message,
    facts: `${sentBy ?? "Somebody"}, ${formatMoment(sentAt)}, to ${playersText(players)}`,
  }));
}
export type SentMessage = Awaited<ReturnType<typeof loadSentMessages>>[number];
