import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { placeholder } from "#app/platform/page-template.server.ts";

/** What fills the page that is rendered for this request, by name; null where none is. */
export const placeholdersContext = createContext<Map<string, string> | null>(null);

export type ViewerPlaceholder = <T extends string | null>(name: string, value: T) => T;

/** A document is rendered without them (entry.server.tsx); the router's client gets data as it is. */
export const placeholdersMiddleware: MiddlewareFunction<Response> = (
  { request, context },
  next,
) => {
  const isDocument = !new URL(request.url).pathname.endsWith(".data");
  if (isDocument) context.set(placeholdersContext, new Map());
  return next();
};

// Wraps a loader's values that differ from viewer to viewer and that the page only shows, as they are:
// not what it decides by or takes apart. Whether there is a value is the same for all who share a
// page, so none and an empty one stay as they are.
export function viewerPlaceholders(context: Readonly<RouterContextProvider>): ViewerPlaceholder {
  const values = context.get(placeholdersContext);
  return (name, value) => {
    if (!values || !value) return value;
    if ((values.get(name) ?? value) !== value) throw new Error(`two values for ${name}`);
    values.set(name, value);
    return placeholder(name) as typeof value;
  };
}
