import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { placeholder } from "#app/platform/page-template.server.ts";

/** Of the page that is rendered for this request, by name; null where none is. */
export const ownWordsContext = createContext<Map<string, string> | null>(null);

export type OwnWord = <T extends string | null>(name: string, word: T) => T;

/** A document is rendered without them (entry.server.tsx); the router's client gets data as it is. */
export const ownWordsMiddleware: MiddlewareFunction<Response> = ({ request, context }, next) => {
  const isDocument = !new URL(request.url).pathname.endsWith(".data");
  if (isDocument) context.set(ownWordsContext, new Map());
  return next();
};

// For a loader's words that differ from viewer to viewer and that the page only shows, as they are:
// not what it asks about or takes apart. Whether there is a word is the same for all who share
// a page, so none and an empty one stay as they are.
export function ownWords(context: Readonly<RouterContextProvider>): OwnWord {
  const words = context.get(ownWordsContext);
  return (name, word) => {
    if (!words || !word) return word;
    if ((words.get(name) ?? word) !== word) throw new Error(`two words for ${name}`);
    words.set(name, word);
    return placeholder(name) as typeof word;
  };
}
