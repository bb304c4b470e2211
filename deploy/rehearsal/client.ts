import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import * as https from "node:https";
import type { LookupFunction } from "node:net";
import { text } from "node:stream/consumers";

export const ORIGIN = "https://kickabout.example";

/** The site's name leads to this machine, whose network is the stage's. */
export const toStage = {
  lookup: ((_name, { all }, done) =>
    all
      ? done(null, [{ address: "127.0.0.1", family: 4 }])
      : done(null, "127.0.0.1", 4)) satisfies LookupFunction,
} as { lookup: LookupFunction };

interface Reply {
  status: number;
  location: string;
  body: string;
}

export interface Client {
  get(path: string): Promise<Reply>;
  post(path: string, form: Record<string, string>): Promise<Reply>;
  send(path: string, body: string, headers: Record<string, string>): Promise<Reply>;
}

/** A browser as far as the site needs one: through the proxy, by TLS, with its own cookies. */
export function createClient(ca: string, agent = new https.Agent({ keepAlive: true })): Client {
  const cookies = new Map<string, string>();
  async function ask(path: string, options: https.RequestOptions, body?: string): Promise<Reply> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = https.request(ORIGIN + path, {
      ...options,
      ...{ ...toStage, ca, agent, timeout: 30_000 },
      headers: { ...options.headers, ...(cookie && { Cookie: cookie }) },
    });
    request.on("timeout", () => request.destroy(new Error("no answer within 30 s")));
    // After the response, the connection may break while a body that is too large is being sent.
    request.on("error", () => {});
    request.end(body);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const { statusCode: status = 0, headers } = response;
    for (const line of headers["set-cookie"] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    return { status, location: headers.location ?? "", body: await text(response) };
  }
  const send = (path: string, body: string, headers: Record<string, string>) =>
    ask(
      path,
      { method: "POST", headers: { ...headers, "Content-Length": Buffer.byteLength(body) } },
      body,
    );
  return {
    get: (path) => ask(path, { method: "GET" }),
    post: (path, form) =>
      send(path, new URLSearchParams(form).toString(), {
        "Content-Type": "application/x-www-form-urlencoded",
      }),
    send,
  };
}
