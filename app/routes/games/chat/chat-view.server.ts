import {
  dayText,
  type MessageView,
  toMessageView,
} from "#app/features/chat/message-view.server.ts";
import { data } from "react-router";
import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { findBlocked } from "#app/features/chat/blocks.server.ts";
import { findChatFacts, listMessages, listPinned } from "#app/features/chat/messages.server.ts";
import { listLongNames } from "#app/features/chat/names.server.ts";
import { nameOf } from "#app/features/chat/names.ts";
import { isFolded, mayBlock, OWN_FIRST_GAME } from "#app/features/chat/message-rules.ts";
import { chatAccess, KEPT_DAYS } from "#app/features/chat/rules.ts";
import { findFirstUnread, findMuted } from "#app/features/chat/unread.server.ts";
import { findGame, type GameDetails } from "#app/features/games/games.server.ts";
import { clockTime } from "#app/features/games/rules.ts";
import { listReported } from "#app/features/support/report-message.server.ts";
import { singleFlight } from "#app/platform/single-flight.server.ts";
import type { App } from "#app/routes/context.server.ts";

const PAGE = 100;
const SHOWN_ON_GAME = 3;
/** Enough even after the messages of blocked players are skipped. */
const READ_FOR_GAME = 20;

type ChatViewer = Pick<Viewer, "userId" | "isAdmin">;
export type ChatPage = Awaited<ReturnType<typeof loadChat>>;

/** Throws 403, or 404 for a game that the viewer may not see, as the game's own page does. */
export async function requireChat({ db, now }: App, gameId: string, { userId }: ChatViewer) {
  const facts = await findChatFacts(db, { gameId, userId });
  const isVisible = facts && (facts.status === "Published" || facts.wasIn || facts.isAdmin);
  if (!isVisible) throw data(null, { status: 404 });
  const access = chatAccess(facts, now());
  if (access.may === "none") throw data(null, { status: 403 });
  return access;
}

export async function loadChat(
  app: App,
  { gameId, viewer, before }: { gameId: string; viewer: ChatViewer; before: number | null },
) {
  const access = await requireChat(app, gameId, viewer);
  const { db } = app;
  const now = app.now();
  const ids = { gameId, userId: viewer.userId };
  const end = { gameId, limit: PAGE, before };
  const [game, messages, pinned, blocked, reported, isMuted, firstUnread, names] =
    await Promise.all([
      findGame(db, gameId, now),
      listMessages(db, end),
      listPinned(db, gameId),
      findBlocked(db, viewer.userId),
      listReported(db, ids),
      findMuted(db, ids),
      findFirstUnread(db, ids),
      listLongNames(db, end),
    ]);
  const { date, startTime, venue, status } = game!;
  const when = `${dayText(date, now)}, ${clockTime(startTime)}`;
  return {
    closed: access.may === "write" ? null : CLOSED[access.why],
    gameId,
    path: `/events/${gameId}/chat`,
    // The page to which a form about one of its messages returns.
    page: chatPage(gameId, before),
    game: {
      path: `/events/${gameId}`,
      venue: venue.name,
      when,
      // In view on a phone too, where a long line is cut off at its end.
      line: status === "Cancelled" ? `Cancelled · ${when}` : when,
    },
    // Null if nothing is pushed, or no message can come any more.
    isMuted: app.env.vapid && access.may === "write" ? isMuted : null,
    before,
    // If more are unread than the page has, its first message is the first unread one.
    firstUnread: firstUnread && Math.max(firstUnread, messages[0]?.number ?? 0),
    names,
    pinned: pinned.map((message) => toMessageView(message, now)),
    messages: messages.map((message) => toMessageView(message, now)),
    viewer: { userId: viewer.userId, isAdmin: viewer.isAdmin },
    blocked,
    reported,
  };
}

export const chatPage = (gameId: string, before: number | null) =>
  `/events/${gameId}/chat${before === null ? "" : `?before=${before}`}`;

/** Seen for a moment only: a suspension ends all sessions. */
export const SUSPENDED = "Your account is suspended.";

const CLOSED = {
  over: `This chat is closed: it was open until a day after the game. ${KEPT_DAYS} days after the game it is deleted.`,
  suspended: SUSPENDED,
};

/** The end of the chat for its game's page; null if the viewer may not read it. */
export async function loadGameChat(
  { db, now: clock }: App,
  { id: gameId, status, endsAt }: GameDetails,
  { userId, isAdmin, isIn }: ChatViewer & { isIn: boolean },
) {
  const now = clock();
  // A suspension ends all sessions.
  const access = chatAccess({ status, endsAt, isIn, isAdmin, isSuspended: false }, now);
  if (access.may === "none") return null;
  const end = { gameId, limit: READ_FOR_GAME };
  const read = () => Promise.all([listMessages(db, end), listLongNames(db, end)]);
  const [messages, names] = await singleFlight(db, `chat ${gameId}`, read);
  const mayFold = messages.some((message) => mayBlock(message, { userId }));
  const blocked = mayFold ? await findBlocked(db, userId) : [];
  const shown = messages.filter((message) => !isFolded(message, blocked)).slice(-SHOWN_ON_GAME);
  return {
    ...{ gameId, userId },
    path: `/events/${gameId}/chat`,
    mayWrite: access.may === "write",
    /** Counted by the page's loader. */
    unread: null as string | null,
    messages: shown.map((message) => toLine(toMessageView(message, now), names, userId)),
  };
}

/** Shown by the page of the game: of an announcement the subject. */
function toLine(view: MessageView, names: Record<string, string>, readerId: string) {
  const { number, kind, authorId, fullName, pictureUrl, isOrganiser, day, time, gone } = view;
  const isWelcome = kind === "FirstGame";
  const isOwnWelcome = isWelcome && authorId === readerId;
  const subject = isOwnWelcome ? OWN_FIRST_GAME : view.subject;
  return {
    ...{ number, fullName, pictureUrl, gone },
    name: isWelcome ? null : nameOf(view, { names }),
    isOrganiser: !isWelcome && isOrganiser,
    when: `${day}, ${time}`,
    parts: subject ? [{ text: subject }] : view.parts,
  };
}

export type GameChat = NonNullable<Awaited<ReturnType<typeof loadGameChat>>>;
