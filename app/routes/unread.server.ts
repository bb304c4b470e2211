import type { RouterContextProvider } from "react-router";
import {
  listUnread,
  listUnreadOfOrganiser,
  type UnreadChat,
} from "#app/features/chat/unread.server.ts";
import { log } from "#app/platform/log.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";

type Context = Readonly<RouterContextProvider>;
type Unread = Map<string, number>;

const lists = new WeakMap<Context, Promise<Unread>>();

// Read once per request, for the navigation and the page. Empty if it cannot be counted: neither
// fails for want of a mark.
export function unreadOf(context: Context, userId: string): Promise<Unread> {
  const known = lists.get(context);
  if (known) return known;
  const { db, now } = context.get(appContext);
  const list = listUnread(db, { userId, now: now() }).catch((error: unknown) => {
    log.warn({ err: error }, "unread messages not counted");
    return new Map<string, number>();
  });
  lists.set(context, list);
  return list;
}

/** Of all games, for pages of organisers. Empty if it cannot be counted. */
export async function unreadOfOrganiser(context: Context): Promise<UnreadChat[]> {
  const { db, now } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  try {
    return await listUnreadOfOrganiser(db, { userId, now: now() });
  } catch (error) {
    log.warn({ err: error }, "unread messages not counted");
    return [];
  }
}

/** All of a player's, without those in the chat that this request is about to show. */
export async function countUnread(context: Context, request: Request, userId: string) {
  const unread = await unreadOf(context, userId);
  const { pathname, searchParams } = new URL(request.url);
  const chat = /^\/events\/([^/]+)\/chat(\.data)?$/.exec(pathname)?.[1];
  // A page of earlier messages does not show the unread ones.
  const shown = searchParams.has("before") ? undefined : chat;
  let count = 0;
  for (const [gameId, ofGame] of unread) if (gameId !== shown) count += ofGame;
  return count;
}

/** A prefetched page was shown to nobody. */
export const isPrefetch = ({ headers }: Request) =>
  /prefetch/.test(headers.get("Sec-Purpose") ?? "");
