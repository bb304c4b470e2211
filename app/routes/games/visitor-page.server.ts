import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type RequestHandler, RouterContextProvider } from "react-router";
import { createPageCache, type FinishedPage, finishPage } from "#app/platform/page-cache.server.ts";
import { addressContext, type App, appContext, nonceContext } from "#app/routes/context.server.ts";
import { TOAST_LABEL } from "#app/forms/toast.server.ts";
import { SESSION_LABEL } from "#app/routes/cookies.server.ts";
import { COOKIE_PREFIX } from "#app/platform/signed-cookie.server.ts";
import { type GamePage, gamePageContext, loadGamePage } from "./game-page.server.ts";

const GAME = /^\/events\/([0-9a-f-]{36})$/;

/**
 * The page of a game for those who carry no session: the same bytes for all of them. What
 * it says is read on every request, so an edit by SQL shows at once; only the rendering is kept.
 * Null for every other request and where there is no such game: the routes answer those.
 */
export function createVisitorPages(handle: RequestHandler) {
  const cache = createPageCache();
  return async (app: App, request: IncomingMessage): Promise<FinishedPage | null> => {
    const [, gameId] = GAME.exec(request.url ?? "") ?? [];
    if (!gameId || !isVisit(request)) return null;
    const game = await loadGamePage(app, null, gameId);
    if (!game) return null;
    return cache.find(gameId, JSON.stringify(game), () => render(handle, app, game));
  };
}

// The session and messages for the next page travel in these cookies.
const PERSONAL = [SESSION_LABEL, TOAST_LABEL].map((label) => `${COOKIE_PREFIX}${label}=`);

function isVisit({ method, headers }: IncomingMessage): boolean {
  const { cookie = "" } = headers;
  return (method === "GET" || method === "HEAD") && !PERSONAL.some((name) => cookie.includes(name));
}

/** Rendered by the routes themselves, from just these facts, whatever happens to the game now. */
async function render(handle: RequestHandler, app: App, game: GamePage): Promise<FinishedPage> {
  const nonce = randomBytes(16).toString("base64");
  const context = new RouterContextProvider();
  context.set(appContext, app);
  context.set(nonceContext, nonce);
  context.set(addressContext, "");
  context.set(gamePageContext, game);
  const request = new Request(`${app.env.appUrl}/events/${game.id}`);
  return finishPage(await handle(request, context), nonce);
}
