import { addPlayer } from "#app/features/bookings/add-player.server.ts";
import {
  type PlayerMatch,
  listPlayersByText,
} from "#app/features/players/search-players.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import type { App } from "#app/routes/context.server.ts";
import { PROBLEMS } from "./sheet-answer.ts";
import { done, refuse, type SheetDeed } from "./sheet-reply.server.ts";

const CHOICES = 10;

/**
 * Adds the player of an address or a whole name; where a name fits several or is only begun, asks
 * which. `playerId` is such a choice.
 */
export async function addToSheet(app: App, deed: SheetDeed) {
  const { intent = "", who = "", playerId } = deed.fields;
  const values = { who };
  if (playerId) return add(app, deed, playerId);
  const words = who.replaceAll("\0", "").trim().slice(0, 255);
  const found = words ? await listPlayersByText(app.db, words, CHOICES + 1) : [];
  const exact = found.filter(({ isExact }) => isExact);
  if (exact.length === 1) return add(app, deed, exact[0]!.playerId);
  if (found.length === 0) {
    const error = words ? PROBLEMS["no-player"]! : "Enter a name or an email address";
    return refuse({ intent, values, errors: { who: error } }, 422);
  }
  const problem =
    found.length > CHOICES ? "Many names begin like this. Type more of it." : undefined;
  const choices = found.slice(0, CHOICES).map(showChoice);
  return refuse({ intent, values, choices, ...(problem && { problem }) }, 422);
}

async function add(app: App, deed: SheetDeed, playerId: string) {
  const { gameId, actorId, fields } = deed;
  const { intent = "", who = "" } = fields;
  const formKey = formKeyOf(fields.formKey);
  const addition = { gameId, playerId, actorId, formKey, now: app.now() };
  const answer = await addPlayer(app.db, app.jobs, addition);
  if (answer.ok) {
    return done(app, deed, "Player added", "Unpaid, and no credits were taken. A mail is sent.");
  }
  const problem = PROBLEMS[answer.reason]!;
  return refuse({ intent, values: { who }, problem }, answer.reason === "not-found" ? 404 : 409);
}

function showChoice({ playerId, firstName, lastName, email, pictureUrl }: PlayerMatch) {
  return { playerId, name: `${firstName} ${lastName}`, email, pictureUrl };
}
