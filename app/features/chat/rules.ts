import type { GameStatus } from "#app/platform/schema.ts";

/** How long after the game players can write, and how long the chat is kept. */
export const OPEN_HOURS = 24;
export const KEPT_DAYS = 90;

export interface ChatFacts {
  status: GameStatus;
  endsAt: Date;
  /** Has a booking now, or had one when the game was cancelled. */
  isIn: boolean;
  isAdmin: boolean;
  isSuspended: boolean;
}

type ChatAccess =
  | { may: "write" }
  | { may: "read-only"; why: "over" | "suspended" }
  | { may: "none" };

/** The one rule of who may do what in a game's chat; the page, its data and its form ask it. */
export function chatAccess(facts: ChatFacts, now: Date): ChatAccess {
  const isAllowed = facts.isIn || facts.isAdmin;
  if (!isAllowed || !isKept(facts.endsAt, now)) return { may: "none" };
  if (facts.isSuspended) return { may: "read-only", why: "suspended" };
  if (now >= closesAt(facts.endsAt)) return { may: "read-only", why: "over" };
  return { may: "write" };
}

/** Applies to a cancelled game too: until then its players find another one together. */
const closesAt = (endsAt: Date) => new Date(endsAt.getTime() + OPEN_HOURS * 3_600_000);

export const isKept = (endsAt: Date, now: Date) =>
  now.getTime() < endsAt.getTime() + KEPT_DAYS * 86_400_000;

export const UNREAD_MAX = 9;

export const unreadCount = (count: number) =>
  count > UNREAD_MAX ? `${UNREAD_MAX}+` : String(count);

export const unreadText = (count: number) =>
  `${unreadCount(count)} unread ${count === 1 ? "message" : "messages"}`;

/** How many messages one account may write in so many seconds, over all games. */
export const SEND_LIMITS = [
  { messages: 5, seconds: 10 },
  { messages: 60, seconds: 3_600 },
] as const;
export const MOST_COUNTED = Math.max(...SEND_LIMITS.map(({ messages }) => messages));

/** Seconds until the next message is allowed; 0 for at once. `sentAt` is newest first. */
export function secondsToWait(sentAt: Date[], now: Date): number {
  const waits = SEND_LIMITS.map(({ messages, seconds }) => {
    const first = sentAt[messages - 1];
    return first ? Math.ceil((first.getTime() - now.getTime()) / 1_000 + seconds) : 0;
  });
  return Math.max(0, ...waits);
}

export const firstGameText = (firstName: string) => `This is ${firstName}'s first game. Say hi!`;

const LINE_CHARACTERS = 40;
const LONG_LINES = 15;
const SHOWN_LINES = 12;

/** The first part of a message that would fill a phone, and the rest, which may be empty. */
export function splitLong(body: string): [start: string, rest: string] {
  const lines = body.split("\n");
  const heights = lines.map((line) => Math.max(1, Math.ceil(widthOf(line) / LINE_CHARACTERS)));
  if (heights.reduce((sum, height) => sum + height, 0) <= LONG_LINES) return [body, ""];
  let [room, end] = [SHOWN_LINES, 0];
  for (const [n, line] of lines.entries()) {
    if (heights[n]! <= room) {
      room -= heights[n]!;
      end += line.length + 1;
      continue;
    }
    end += room > 0 ? cutOf(line, room * LINE_CHARACTERS) : 0;
    break;
  }
  return [body.slice(0, end).trimEnd(), body.slice(end)];
}

const WIDE =
  /[\p{Extended_Pictographic}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const charactersOf = (text: string) => new Intl.Segmenter("en").segment(text);
const widthOf = (text: string) =>
  [...charactersOf(text)].reduce((sum, { segment }) => sum + cellsOf(segment), 0);
const cellsOf = (character: string) => (WIDE.test(character) ? 2.5 : 1);

/** After the last word that has room, or else inside of the one that has not. */
function cutOf(line: string, room: number): number {
  let [width, end] = [0, 0];
  for (const { index, segment } of charactersOf(line)) {
    width += cellsOf(segment);
    if (width > room) break;
    end = index + segment.length;
  }
  return line.lastIndexOf(" ", end) + 1 || end;
}
