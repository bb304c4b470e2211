import { isFolded, mayBlock, mayReport, removalBy } from "#app/features/chat/rules.ts";
import type { ChatPage, MessageView } from "./chat-view.server.ts";

type Viewer = ChatPage["viewer"];
/** Who reads, and what they have done about others; it is with the page alone, in no stream. */
export type Reader = Pick<ChatPage, "viewer" | "blocked" | "reported">;

export interface Day {
  date: string;
  label: string;
  groups: Group[];
}

/** Messages of one person that belong together; what is said of all of them is the first one's. */
export interface Group {
  first: MessageView;
  isOwn: boolean;
  /** Of a player whom the reader has blocked. */
  isFolded: boolean;
  messages: MessageView[];
}

const GROUP_MINUTES = 5;

/** In the browser too, where more messages come. */
export function toDays(messages: MessageView[], reader: Reader): Day[] {
  const days: Day[] = [];
  let last: MessageView | undefined;
  for (const message of messages) {
    const { date, day: label } = message;
    if (days.at(-1)?.date !== date) {
      days.push({ date, label, groups: [] });
      last = undefined;
    }
    const { groups } = days.at(-1)!;
    if (!last || !isTogether(last, message)) {
      groups.push({
        first: message,
        isOwn: isOwn(message, reader.viewer),
        isFolded: isOfBlocked(message, reader),
        messages: [],
      });
    }
    groups.at(-1)!.messages.push(message);
    last = message;
  }
  return days;
}

function isTogether(last: MessageView, next: MessageView): boolean {
  return (
    last.kind === "Text" &&
    next.kind === "Text" &&
    last.authorId === next.authorId &&
    (next.sentAt - last.sentAt) / 60_000 <= GROUP_MINUTES
  );
}

export const isOwn = ({ authorId, kind }: MessageView, { userId }: Viewer) =>
  authorId === userId && kind === "Text";

export const isOfBlocked = (
  { authorId: userId, kind }: MessageView,
  { blocked }: Pick<Reader, "blocked">,
) => isFolded({ userId, kind }, blocked);

const REMOVALS = { Author: "Delete", Organiser: "Remove" };

export interface Choice {
  intent: "remove" | "report" | "block";
  label: string;
}

/** What the reader may do about a message; the server decides it again. */
export function choicesOf(message: MessageView, { viewer, blocked, reported }: Reader): Choice[] {
  if (message.gone) return [];
  const { authorId: userId, kind, id } = message;
  const removal = removalBy({ userId }, viewer);
  const reports = mayReport({ userId, kind, body: "" }, viewer) && !reported.includes(id);
  const blocks = mayBlock({ userId, kind }, viewer) && !blocked.includes(userId!);
  return [
    ...(removal ? [{ intent: "remove", label: REMOVALS[removal] } as const] : []),
    ...(reports ? [{ intent: "report", label: "Report" } as const] : []),
    ...(blocks ? [{ intent: "block", label: "Block" } as const] : []),
  ];
}
