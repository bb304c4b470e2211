import { data, redirect } from "react-router";
import type { App } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import type { SheetRefusal } from "./sheet-answer.ts";

/** A form of the sheet, and who has sent it. */
export interface SheetDeed {
  fields: Record<string, string>;
  gameId: string;
  actorId: string;
}

export function refuse(refusal: SheetRefusal, status: number) {
  return data(refusal, status);
}

/** Back to the game, with a toast. */
export async function done(
  { env }: App,
  { gameId }: SheetDeed,
  title: string,
  description: string,
) {
  const cookie = await toastCookie(env, { title, description });
  return redirect(`/admin/games/${gameId}`, { headers: { "Set-Cookie": cookie } });
}
