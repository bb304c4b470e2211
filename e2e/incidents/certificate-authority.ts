import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";

export type Authority = Awaited<ReturnType<typeof openAuthority>>;

interface Order {
  token: string;
  identifiers: object[];
  status: "pending" | "ready" | "valid" | "invalid";
}

const FIREWALL = "Timeout during connect (likely firewall problem)";

/**
 * An authority that signs certificates, by ACME (RFC 8555) as far as Caddy asks: it believes anyone who asks, and reads
 * the answer to a challenge at port 80 of the name, as `reach` does.
 */
export async function openAuthority(folder: string, reach: (path: string) => Promise<string>) {
  const at = (name: string) => path.join(folder, name);
  mkdirSync(folder);
  const subject = ["-subj", "/CN=Authority", "-days", "30", "-nodes"];
  openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", ...subject, [
    ...["-keyout", at("root.key"), "-out", at("root.crt")],
  ]);
  const orders: Order[] = [];
  const mood = { days: 90 };

  /** Answers what is asked of order `n`, by the last part of the address but one. */
  const asked: Record<string, (n: number, url: string, payload: Payload) => Promise<Answer>> = {
    directory: async (_, url) => ({
      body: {
        ...{ newNonce: `${url}/nonce/0`, newAccount: `${url}/account/0` },
        newOrder: `${url}/new-order/0`,
      },
    }),
    nonce: async () => ({ body: {} }),
    account: async (_, url) => ({
      ...{ status: 201, location: `${url}/account/1` },
      body: { status: "valid" },
    }),
    "new-order": async (_, url, { identifiers = [] }) => {
      orders.push({ token: randomBytes(16).toString("hex"), identifiers, status: "pending" });
      const n = orders.length - 1;
      return { status: 201, location: `${url}/order/${n}`, body: describe(n, url) };
    },
    order: async (n, url) => ({ location: `${url}/order/${n}`, body: describe(n, url) }),
    authorization: async (n, url) => {
      const { identifiers, status } = orders[n]!;
      const challenges = [challengeOf(n, url)];
      const isDecided = status === "pending" ? status : status === "invalid" ? status : "valid";
      return { body: { identifier: identifiers[0], status: isDecided, challenges } };
    },
    challenge: async (n, url) => {
      const order = orders[n]!;
      const where = `/.well-known/acme-challenge/${order.token}`;
      const said = await reach(where).catch(() => "");
      order.status = said.startsWith(`${order.token}.`) ? "ready" : "invalid";
      return { body: challengeOf(n, url) };
    },
    finalize: async (n, url, { csr = "" }) => {
      writeFileSync(at("request"), Buffer.from(csr, "base64url"));
      const signer = ["-CA", at("root.crt"), "-CAkey", at("root.key"), "-CAcreateserial"];
      openssl("x509", "-req", "-inform", "DER", "-in", at("request"), "-out", at(`${n}.crt`), [
        ...signer,
        ...["-days", String(mood.days), "-copy_extensions", "copyall"],
      ]);
      orders[n]!.status = "valid";
      return { location: `${url}/order/${n}`, body: describe(n, url) };
    },
    certificate: async (n) => ({ body: readFileSync(at(`${n}.crt`), "utf8") }),
  };
  const describe = (n: number, url: string) => {
    const { token: _, ...order } = orders[n]!;
    const certificate = order.status === "valid" && { certificate: `${url}/certificate/${n}` };
    const authorizations = [`${url}/authorization/${n}`];
    return { ...order, authorizations, finalize: `${url}/finalize/${n}`, ...certificate };
  };
  const challengeOf = (n: number, url: string) => {
    const { token, status } = orders[n]!;
    const error = { type: "urn:ietf:params:acme:error:connection", detail: FIREWALL, status: 400 };
    const decided = status === "invalid" ? { status, error } : { status: "valid" };
    const result = status === "pending" ? { status } : decided;
    return { type: "http-01", url: `${url}/challenge/${n}`, token, ...result };
  };
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const [, kind = "", n] = request.url!.split("/");
    const answered = await asked[kind]!(Number(n), url, payloadOf(await text(request)));
    const { status = 200, location, body } = answered;
    response.setHeader("Replay-Nonce", randomBytes(16).toString("base64url"));
    if (location) response.setHeader("Location", location);
    const isText = typeof body === "string";
    const type = isText ? "application/pem-certificate-chain" : "application/json";
    response.setHeader("Content-Type", type);
    response.writeHead(status).end(isText ? body : JSON.stringify(body));
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url, mood, root: at("root.crt") },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Payload {
  identifiers?: object[];
  csr?: string;
}

interface Answer {
  status?: number;
  location?: string;
  body: object | string;
}

/** What was signed; an empty payload asks for what there is. */
function payloadOf(body: string): Payload {
  if (!body) return {};
  const { payload } = JSON.parse(body) as { payload: string };
  return payload ? (JSON.parse(Buffer.from(payload, "base64url").toString()) as Payload) : {};
}

function openssl(...args: (string | string[])[]) {
  const { status, stderr } = spawnSync("openssl", args.flat(), { encoding: "utf8" });
  if (status !== 0) throw new Error(`openssl: ${stderr}`);
}
