import type { FollowedChat } from "./live-stream.ts";

/** A message as far as a page has to know it to see that there are others, or that it is gone. */
interface ChatLine {
  number: number;
  gone: string | null;
}

/** The chat of a game as its page follows it, which shows these messages of it. */
export function toFollowedChat(gameId: string, shown: ChatLine[]): FollowedChat {
  const lastNumber = shown.at(-1)?.number ?? 0;
  const isKnown = ({ number, gone }: ChatLine) => {
    if (number > lastNumber) return false;
    return !gone || !shown.some((line) => line.number === number && !line.gone);
  };
  return {
    ...{ gameId, lastNumber },
    // A stream that is opened again tells again of what is gone, and of more than the page shows.
    isNews(data) {
      const { messages } = JSON.parse(data) as { messages: ChatLine[] | null };
      return !messages?.every(isKnown);
    },
  };
}
