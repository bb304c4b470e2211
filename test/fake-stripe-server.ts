import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  stripeError,
  parseForm,
  type StripeObject,
  StripeError,
  type Tree,
  RESOURCES,
  type Resource,
} from "./fake-stripe-resources.ts";

/**
 * What happens to a request instead of its answer; "lost" does what was asked, and then the
 * connection breaks.
 */
type Failure = "rate-limit" | "error" | "reset" | "lost" | "silence";

interface Asked {
  /** Method and path, such as "POST /v1/prices". */
  call: string;
  params: Tree;
  idempotencyKey: string | undefined;
}

/** Stripe's API on a local port, as far as the product uses it. */
export interface FakeStripe {
  /** For openStripe. */
  options: { host: string; port: number; protocol: "http" };
  /** Everything that exists there, by id; tests add what others would have made. */
  objects: Map<string, StripeObject>;
  asked: Asked[];
  /** The next request that calls this fails so. */
  fail(call: string, failure: Failure): void;
  /** Like Stripe after a day. */
  expireKeys(): void;
}

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** A fake that listens nowhere yet; `clear` empties it. */
export function createFakeStripe() {
  const failures: { call: string; failure: Failure }[] = [];
  const answers = new Map<string, { request: string; answer: Answer }>();
  const fake: FakeStripe = {
    options: { host: "127.0.0.1", port: 0, protocol: "http" },
    objects: new Map(),
    asked: [],
    fail: (call, failure) => void failures.push({ call, failure }),
    expireKeys: () => answers.clear(),
  };
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  async function serve(request: IncomingMessage, response: ServerResponse) {
    const asked = await read(request);
    fake.asked.push(asked);
    const at = failures.findIndex(({ call }) => call === asked.call);
    const failure = failures.splice(at, at < 0 ? 0 : 1)[0]?.failure;
    if (failure === "silence") return;
    if (failure === "reset") return void request.socket.destroy();
    const answer = FAILED[failure ?? ""] ?? once(answers, asked, () => route(fake, asked, request));
    if (failure === "lost") return void request.socket.destroy();
    send(response, answer);
  }
  const clear = () => {
    fake.objects.clear();
    answers.clear();
    fake.asked.length = 0;
    failures.length = 0;
  };
  return { fake, server, clear };
}

/** A module that leads requests to Stripe to a fake at that port. */
export const stripeModule = (port: number) => `
import http from "node:http";
import https from "node:https";
const { request } = https;
https.request = (asked, ...rest) => {
  if (asked.host !== "api.stripe.com") return request(asked, ...rest);
  const { agent, ...options } = asked;
  return http.request({ ...options, host: "127.0.0.1", port: ${port} }, ...rest);
};
`;

const FAILED: Record<string, Answer> = {
  "rate-limit": {
    status: 429,
    headers: { "Retry-After": "1" },
    body: problem("invalid_request_error", "Too many requests", "rate_limit"),
  },
  error: { status: 500, body: problem("api_error", "An unknown error occurred") },
};

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, search } = new URL(request.url ?? "", "http://stripe.test");
  const form = request.method === "GET" ? search.slice(1) : Buffer.concat(chunks).toString();
  const idempotencyKey = request.headers["idempotency-key"]?.toString();
  return { call: `${request.method} ${pathname}`, params: parseForm(form), idempotencyKey };
}

/** Stripe answers a POST with a key that it knows as it did before, and never does it again. */
function once(
  answers: Map<string, { request: string; answer: Answer }>,
  { call, params, idempotencyKey }: Asked,
  act: () => Answer,
): Answer {
  if (!idempotencyKey) return act();
  const request = JSON.stringify([call, params]);
  const known = answers.get(idempotencyKey);
  if (!known) {
    const answer = structuredClone(act());
    answers.set(idempotencyKey, { request, answer });
    return answer;
  }
  if (known.request !== request) {
    const message = "Keys for idempotent requests can only be used with the same parameters";
    return { status: 400, body: problem("idempotency_error", message) };
  }
  return { ...known.answer, headers: { "Idempotent-Replayed": "true" } };
}

function route(fake: FakeStripe, { call, params }: Asked, request: IncomingMessage): Answer {
  if (!/^Bearer (sk|rk)_test_/.test(request.headers.authorization ?? "")) {
    return { status: 401, body: problem("invalid_request_error", "Invalid API Key provided") };
  }
  const [, method, path, id, sub] =
    /^(\w+) \/v1\/((?:checkout\/|billing_portal\/)?\w+)(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(call) ??
    [];
  const resource = RESOURCES[path ?? ""];
  try {
    if (!resource) throw stripeError(`Unrecognized request URL (${call})`, { status: 404 });
    return { status: 200, body: answerOf(fake, resource, { method, id, sub, params }) };
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    const { status, code, message } = error;
    return { status, body: problem("invalid_request_error", message, code) };
  }
}

interface Call {
  method: string | undefined;
  id: string | undefined;
  sub: string | undefined;
  params: Tree;
}

function answerOf(fake: FakeStripe, resource: Resource, { method, id, sub, params }: Call) {
  const { objects } = fake;
  if (method === "GET" && !id) return listOf(resource, objects, params);
  if (method === "POST" && !id) {
    allow(params, resource.create);
    const made = resource.make(params, objects);
    objects.set(made.id, made);
    return made;
  }
  const object = objects.get(id ?? "");
  if (object?.object !== resource.object) {
    throw stripeError(`No such ${resource.object}: '${id}'`, {
      status: 404,
      code: "resource_missing",
    });
  }
  if (sub === "line_items") return page(object.line_items as StripeObject[], {}, "line_items");
  if (method === "POST") {
    allow(params, resource.update);
    Object.assign(object, resource.change(params, object));
  }
  return object;
}

function listOf(resource: Resource, objects: Map<string, StripeObject>, params: Tree) {
  allow(params, ["limit", "starting_after", ...Object.keys(resource.filters)]);
  const { limit: _limit, starting_after: _after, ...wanted } = params;
  const found = [...objects.values()].filter(
    (object) =>
      object.object === resource.object &&
      Object.entries(wanted).every(([name, value]) => resource.filters[name]?.(object, value)),
  );
  // Newest first; of the same second, the later made.
  const newest = found.toReversed().toSorted((a, b) => Number(b.created) - Number(a.created));
  return page(newest, params, resource.object);
}

function page(all: StripeObject[], params: Tree, what: string) {
  const limit = Number(params.limit ?? 10);
  if (!(limit >= 1 && limit <= 100)) throw stripeError("limit must be between 1 and 100");
  const after = params.starting_after;
  const start = after ? all.findIndex(({ id }) => id === after) + 1 : 0;
  if (after && start === 0) throw stripeError(`No such ${what}: '${String(after)}'`);
  const data = all.slice(start, start + limit);
  return { object: "list", url: "/v1", data, has_more: start + limit < all.length };
}

function allow(params: Tree, names: string[]) {
  const unknown = Object.keys(params).find((name) => !names.includes(name));
  if (unknown) {
    throw stripeError(`Received unknown parameter: ${unknown}`, { code: "parameter_unknown" });
  }
}

function problem(type: string, message: string, code?: string) {
  return { error: { type, message, code } };
}

function send(response: ServerResponse, { status, body, headers }: Answer) {
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Request-Id": "req_fake",
    ...headers,
  });
  response.end(JSON.stringify(body));
}
