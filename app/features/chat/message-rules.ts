import type { ChatMessageKind } from "#app/platform/schema.ts";

export const OWN_FIRST_GAME = "This is your first game.";

export function removalBy(
  message: { userId: string | null },
  viewer: { userId: string; isAdmin: boolean },
): "Author" | "Organiser" | null {
  if (message.userId === viewer.userId) return "Author";
  return viewer.isAdmin ? "Organiser" : null;
}

/** Organisers remove instead; a message without an author has nobody to report. */
export function mayReport(
  { userId, kind }: { userId: string | null; kind: ChatMessageKind },
  viewer: { userId: string; isAdmin: boolean },
): boolean {
  const isOfAnother = userId !== null && userId !== viewer.userId;
  return isOfAnother && kind === "Text" && !viewer.isAdmin;
}

/** Only a player who writes: messages of organisers to all are never folded. */
export const mayBlock = (
  { userId, kind }: { userId: string | null; kind: ChatMessageKind },
  viewer: { userId: string },
) => userId !== null && userId !== viewer.userId && kind === "Text";

export const isFolded = (
  { userId, kind }: { userId: string | null; kind: ChatMessageKind },
  blocked: string[],
) => kind === "Text" && userId !== null && blocked.includes(userId);

export const mayPin = (
  { kind, isGone }: { kind: ChatMessageKind; isGone: boolean },
  { isAdmin }: { isAdmin: boolean },
) => isAdmin && kind === "Announcement" && !isGone;

export const hiddenText = (count: number) =>
  count === 1 ? "Message from a player you blocked" : `${count} messages from a player you blocked`;

/** Whole characters: half of one is shown as a question mark. */
export const firstCharacters = (text: string, most: number) => [...text].slice(0, most).join("");
