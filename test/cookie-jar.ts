import type { AskSite } from "./whole-site.ts";

/** A browser of one person: it keeps what cookies it is given. */
export function openBrowser(ask: AskSite) {
  const cookies = new Map<string, string>();
  const cookie = () => [...cookies].map((pair) => pair.join("=")).join("; ") || undefined;
  const keep = (response: Response) => {
    for (const header of response.headers.getSetCookie()) {
      const [name = "", value = ""] = header.split(";")[0]!.split(/=(.*)/s);
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    return response;
  };
  return {
    cookies,
    get: async (path: string, more = {}) => keep(await ask(path, { ...more, cookie: cookie() })),
    post: async (path: string, fields: Record<string, string>) =>
      keep(await ask(path, { body: new URLSearchParams(fields), cookie: cookie() })),
  };
}
