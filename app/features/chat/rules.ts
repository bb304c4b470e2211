import type { ChatMessageKind, GameStatus } from "#app/platform/schema.ts";
import { webAddress } from "#app/platform/text.ts";

export const CHAT_MESSAGE_MAX = 500;
export const MESSAGE_EMPTY = "Message cannot be empty";
/** How long after the game it can be written in, and how long it is kept. */
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

export type ChatAccess =
  | { may: "write" }
  | { may: "read-only"; why: "over" | "suspended" }
  | { may: "none" };

/** The one rule of who may do what in a game's chat; the page, its data and its form ask it. */
export function chatAccess(facts: ChatFacts, now: Date): ChatAccess {
  if (!facts.isIn && !facts.isAdmin) return { may: "none" };
  if (facts.isSuspended) return { may: "read-only", why: "suspended" };
  if (now >= closesAt(facts.endsAt)) return { may: "read-only", why: "over" };
  return { may: "write" };
}

/** Of a cancelled game too: until then its players find another one together. */
export const closesAt = (endsAt: Date) => new Date(endsAt.getTime() + OPEN_HOURS * 3_600_000);

/** More unread messages than this are "9+". */
export const UNREAD_MAX = 9;

/** "3", "9+". */
export const unreadCount = (count: number) =>
  count > UNREAD_MAX ? `${UNREAD_MAX}+` : String(count);

/** "1 unread message", "9+ unread messages". */
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

/** Who may take a message away, and as what. */
export function removalBy(
  message: { userId: string | null },
  viewer: { userId: string; isAdmin: boolean },
): "Author" | "Organiser" | null {
  if (message.userId === viewer.userId) return "Author";
  return viewer.isAdmin ? "Organiser" : null;
}

/** Organisers remove instead; what nobody is named for, there is nobody to report. */
export function mayReport(
  message: { userId: string | null; kind: ChatMessageKind; body: string | null },
  viewer: { userId: string; isAdmin: boolean },
): boolean {
  const { userId, kind, body } = message;
  const isOfAnother = userId !== null && userId !== viewer.userId;
  return isOfAnother && kind === "Text" && body !== null && !viewer.isAdmin;
}

/** Whoever writes; what organisers tell everybody is never folded. */
export const mayBlock = (
  { userId, kind }: { userId: string | null; kind: ChatMessageKind },
  viewer: { userId: string },
) => userId !== null && userId !== viewer.userId && kind === "Text";

export const isFolded = (
  { userId, kind }: { userId: string | null; kind: ChatMessageKind },
  blocked: string[],
) => kind === "Text" && userId !== null && blocked.includes(userId);

export const FOLDED = "Message of a player you blocked";

export const firstGameText = (firstName: string) => `This is ${firstName}'s first game. Say hi!`;

/**
 * Without what a browser would read as tags, those inside of others included; "<3" and "a < b" stay.
 * One pass, since the text may be long.
 */
export function withoutMarkup(text: string): string {
  let left = "";
  const opened: number[] = [];
  for (const character of text) {
    const start = character === ">" ? opened.pop() : undefined;
    if (start !== undefined && /^<[/!?a-z]/i.test(left.slice(start, start + 2))) {
      left = left.slice(0, start);
      continue;
    }
    if (character === "<") opened.push(left.length);
    left += character;
  }
  return left;
}

export interface TextPart {
  text: string;
  href?: string;
}

const ADDRESS = /(https?:\/\/[^\s<>"\p{C}]+)/iu;

/** The text, with what is an address of a web page as a link. */
export function linkParts(body: string): TextPart[] {
  return body.split(ADDRESS).flatMap((part, n): TextPart[] => {
    if (n % 2 === 0) return part ? [{ text: part }] : [];
    const text = withoutEndMarks(part);
    const href = webAddress(text);
    if (!href) return [{ text: part }];
    const rest = part.slice(text.length);
    return rest ? [{ text, href }, { text: rest }] : [{ text, href }];
  });
}

/** What ends a sentence after an address does not belong to it. */
function withoutEndMarks(address: string): string {
  let end = address.length;
  while (".,:;!?)]}'’”".includes(address[end - 1]!)) end -= 1;
  return address.slice(0, end);
}
