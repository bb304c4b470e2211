import type { FollowedChat } from "#app/live/live-stream.ts";

/** What a page must know of a message to see that there are new ones, or that it is gone. */
interface ChatLine {
  number: number;
  gone: string | null;
}

/** A game's chat as its page follows it, which shows these of its messages. */
export function toFollowedChat(gameId: string, shown: ChatLine[]): FollowedChat {
  const lastNumber = shown.at(-1)?.number ?? 0;
  const isKnown = ({ number, gone }: ChatLine) => {
    if (number > lastNumber) return false;
    return !gone || !shown.some((line) => line.number === number && !line.gone);
  };
  return {
    ...{ gameId, lastNumber },
    // A reopened stream repeats what is gone, and has more than the page shows.
    isUpdate(data) {
      const { messages } = JSON.parse(data) as { messages: ChatLine[] | null };
      return !messages?.every(isKnown);
    },
  };
}
