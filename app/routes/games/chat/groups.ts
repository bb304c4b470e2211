import {
  isFolded,
  mayBlock,
  mayPin,
  mayReport,
  removalBy,
} from "#app/features/chat/message-rules.ts";
import { nameOf } from "#app/features/chat/names.ts";
import type { MessageView } from "#app/features/chat/message-view.server.ts";
import type { ChatPage } from "./chat-view.server.ts";

type Viewer = ChatPage["viewer"];
/** The reader, and what they did about others; only on the page, in no stream. */
export type Reader = Pick<ChatPage, "viewer" | "blocked" | "reported" | "names">;

interface Day {
  date: string;
  label: string;
  groups: Group[];
}

/** Messages of one person that belong together; the first one's facts are true for all. */
export interface Group {
  first: MessageView;
  name: string;
  isOwn: boolean;
  isFolded: boolean;
  messages: MessageView[];
}

const GROUP_MINUTES = 5;

/** Also runs in the browser as messages arrive. */
export function toDays(
  messages: MessageView[],
  reader: Reader,
  firstUnread: number | null = null,
): Day[] {
  const days: Day[] = [];
  let last: MessageView | undefined;
  for (const message of messages) {
    const { date, day: label } = message;
    if (days.at(-1)?.date !== date) {
      days.push({ date, label, groups: [] });
      last = undefined;
    }
    const { groups } = days.at(-1)!;
    const isFolded = isOfBlocked(message, reader);
    if (!last || message.number === firstUnread || !isTogether(last, message, isFolded)) {
      groups.push({
        first: message,
        name: nameOf(message, reader),
        isOwn: isOwn(message, reader.viewer),
        isFolded,
        messages: [],
      });
    }
    groups.at(-1)!.messages.push(message);
    last = message;
  }
  return days;
}

/** Hidden messages are one row, whatever time they span. */
function isTogether(last: MessageView, next: MessageView, isHidden: boolean): boolean {
  return (
    last.kind === "Text" &&
    next.kind === "Text" &&
    last.authorId === next.authorId &&
    (isHidden || (next.sentAt - last.sentAt) / 60_000 <= GROUP_MINUTES)
  );
}

export const isOwn = ({ authorId, kind }: MessageView, { userId }: Viewer) =>
  authorId === userId && kind === "Text";

export const isOfBlocked = (
  { authorId: userId, kind }: MessageView,
  { blocked }: Pick<Reader, "blocked">,
) => isFolded({ userId, kind }, blocked);

const REMOVALS = {
  Author: { label: "Delete", asks: "Delete message?" },
  Organiser: { label: "Remove", asks: "Remove message?" },
};

export interface Choice {
  intent: "remove" | "report" | "block" | "unblock" | "pin" | "unpin";
  label: string;
  /** Asked first, of what cannot be undone. */
  asks?: string;
}

const REPORT: Choice = { intent: "report", label: "Report", asks: "Report to the organisers?" };

/** What the reader may do about a message; the server decides again. */
export function choicesOf(message: MessageView, { viewer, blocked, reported }: Reader): Choice[] {
  if (message.gone) return [];
  const { authorId: userId, kind, id, isPinned } = message;
  const removal = removalBy({ userId }, viewer);
  const reports = mayReport({ userId, kind }, viewer) && !reported.includes(id);
  const blocks = mayBlock({ userId, kind }, viewer);
  const isBlocked = blocked.includes(userId ?? "");
  const pins = mayPin({ kind, isGone: false }, viewer);
  return [
    ...(pins && isPinned ? [{ intent: "unpin", label: "Unpin" } as const] : []),
    ...(pins && !isPinned ? [{ intent: "pin", label: "Pin" } as const] : []),
    ...(removal ? [{ intent: "remove", ...REMOVALS[removal] } as const] : []),
    ...(reports ? [REPORT] : []),
    ...(blocks && !isBlocked ? [{ intent: "block", label: "Block" } as const] : []),
    ...(blocks && isBlocked ? [{ intent: "unblock", label: "Unblock" } as const] : []),
  ];
}
