import { once } from "node:events";
import { type IncomingMessage, type RequestListener, type Server, get } from "node:http";
import type { AddressInfo } from "node:net";
import { vi } from "vitest";
import { listen } from "#app/platform/serve.server.ts";

/** No test comes near them, unless it is about one. */
export const LIVE_LIMITS = {
  ...{ perProcess: 500, perNetwork: 500, visitors: 500 },
  ...{ keptPerSession: 500, chatsPerSession: 500 },
  waitingBytes: 16_384,
};

/** What a browser's EventSource would have heard so far. */
export interface Following {
  status: number;
  headers: IncomingMessage["headers"];
  /** All that came, comments too. */
  text(): string;
  /** The data of the events of this name. */
  events(name?: string): unknown[];
  /** Resolves once the server has ended it. */
  ended: Promise<unknown>;
  leave(): void;
}

/** Node's own server as production opens it, for one handler. */
export async function serveHttp(
  handler: RequestListener,
): Promise<{ server: Server; url: string }> {
  const [server] = (await listen(handler, { port: 0, hosts: ["127.0.0.1"] })) as [Server];
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export const follow = (url: string, gameIds: string[], headers?: Record<string, string>) =>
  openLive(url, `games=${gameIds.join()}`, headers);

/** Opens a stream, and resolves with its head. */
export async function openLive(
  url: string,
  query: string,
  headers: Record<string, string> = {},
): Promise<Following> {
  const request = get(`${url}/live?${query}`, { headers, agent: false });
  request.on("error", () => {});
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  response.setEncoding("utf8").on("data", (part: string) => (text += part));
  response.on("error", () => {});
  const events = (name = "game") => eventsOf(text, name);
  const ended = new Promise((resolve) => response.once("close", resolve));
  const { statusCode: status = 0, headers: answered } = response;
  return {
    status,
    headers: answered,
    text: () => text,
    events,
    ended,
    leave: () => request.destroy(),
  };
}

/** Waits until this many events of the name have come, and answers the last of them. */
export async function lastOf(stream: Following, count: number, name?: string): Promise<unknown> {
  await vi.waitFor(() => {
    if (stream.events(name).length < count) throw new Error(`so far: ${stream.text()}`);
  });
  return stream.events(name).at(-1);
}

function eventsOf(text: string, name: string): unknown[] {
  return text
    .split("\n\n")
    .filter((event) => event.startsWith(`event: ${name}\n`))
    .map((event) => JSON.parse(event.split("\ndata: ")[1] ?? "") as unknown);
}
