import type { App } from "#app/routes/context.server.ts";
import { aPlayer } from "./fixtures.ts";
import { signIn } from "./visit.ts";
import type { AskSite } from "./whole-site.ts";

/** Presses START PLAYING in the plans of the game's page, with the first of the packs or this one. */
export function startPlayingOn(app: App, site: AskSite, pack: string) {
  return async (gameId: string, credits = 4, packId = pack) => {
    const id = await aPlayer(app.db, { credits });
    const cookie = await signIn(app, id);
    const path = `/events/${gameId}`;
    const join = new URLSearchParams({ intent: "join", overlap: "ask", priceShown: "10" });
    const html = await (await site(path, { cookie, body: join })).text();
    const body = new URLSearchParams([...fieldsOf(html, 'id="plan-form"'), ["packId", packId]]);
    const response = await site("/checkout", { cookie, body });
    const began = response.headers.getSetCookie().find((set) => set.includes("_return")) ?? "";
    const cookies = `${cookie}; ${began.split(";")[0]}`;
    return { id, cookie, cookies, response, body, gameId, path };
  };
}

/** What a form of the page would send unchanged; the form is found by these words of its tag. */
export function fieldsOf(html: string, words: string): [string, string][] {
  const forms = html.match(/<form.*?<\/form>/gs) ?? [];
  const form = forms.find((one) => one.slice(0, one.indexOf(">")).includes(words)) ?? "";
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([tag]) => tag);
  return inputs.flatMap((tag) => {
    const [, name] = / name="([^"]+)"/.exec(tag) ?? [];
    const [, value = ""] = / value="([^"]*)"/.exec(tag) ?? [];
    return name && !tag.includes('type="radio"') ? [[name, value.replaceAll("&amp;", "&")]] : [];
  });
}

/** What a page says, its elements divided by bars. */
export const textOf = async (response: Response | Promise<Response>) =>
  (await (await response).text())
    .replace(/<(style|script).*?<\/\1>/gs, "")
    .replace(/<[^>]+>/g, "|")
    .replace(/\|+/g, "|")
    .replaceAll("&#x27;", "'");
