import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

const ACCESS = { accessKeyId: "TESTKEY", secretAccessKey: "hunter8/hunter8+hunter8" };
const REGION = "eu-north-1";
const NAME = "pictures";
/** Small, so that lists have several pages. */
const PAGE = 3;

/**
 * "silent" never responds, "half" stops within a file, "away" is 503, "moved" leads elsewhere; a
 * "gateway" before it answers with a page of its own, "unmeasured" responses name no length; "elsewhere" is of
 * another region, with `details` in its error.
 */
type Mood = "well" | "silent" | "half" | "away" | "moved" | "gateway" | "unmeasured" | "elsewhere";

/**
 * A stand-in for an S3-compatible server: what `bucket.server.ts` asks for, in memory. It computes
 * each signature (AWS Signature Version 4) by itself and rejects a wrong one.
 */
export async function startBucketServer() {
  const objects = new Map<string, { bytes: Buffer; type: string; changedAt: Date }>();
  const state = { mood: "well" as Mood, details: "", requests: 0, open: 0 };
  const server = http.createServer((request, response) => {
    state.requests += 1;
    state.open += 1;
    response.once("close", () => (state.open -= 1));
    if (state.mood === "silent") return;
    if (state.mood === "away") return sendError(response, 503, "SlowDown");
    if (state.mood === "elsewhere") {
      return sendError(response, 400, "AuthorizationHeaderMalformed", state.details);
    }
    if (state.mood === "gateway") {
      return void response.setHeader("Content-Type", "text/html").end("<h1>Maintenance</h1>");
    }
    if (state.mood === "moved") {
      if (request.url === "/elsewhere") return void response.end("of somebody else");
      return void response.writeHead(307, { Location: "/elsewhere" }).end();
    }
    void serve(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const body = await buffer(request);
    if (!isSigned(request)) return sendError(response, 403, "SignatureDoesNotMatch");
    const { pathname, searchParams } = new URL(request.url!, "http://bucket");
    if (!pathname.startsWith(`/${NAME}/`)) return sendError(response, 404, "NoSuchBucket");
    const name = decodeURIComponent(pathname.slice(NAME.length + 2));
    const asked = request.method === "GET" && name === "" ? "LIST" : request.method;
    const found = objects.get(name);
    if (asked === "LIST") return sendList(response, searchParams.get("continuation-token") ?? "");
    if (asked === "PUT") {
      const type = request.headers["content-type"] ?? "";
      objects.set(name, { bytes: body, type, changedAt: new Date() });
      return void response.writeHead(200, { ETag: '"x"' }).end();
    }
    if (asked === "DELETE") return void (objects.delete(name), response.writeHead(204).end());
    if (!found) return sendError(response, 404, "NoSuchKey");
    const isZipped = request.headers["accept-encoding"] !== "identity";
    const bytes = isZipped ? gzipSync(found.bytes) : found.bytes;
    response.setHeader("Content-Type", found.type).setHeader("Content-Length", bytes.length);
    if (isZipped) response.setHeader("Content-Encoding", "gzip");
    if (state.mood === "unmeasured") response.removeHeader("Content-Length");
    if (state.mood !== "half") return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2));
  }

  function sendList(response: ServerResponse, after: string) {
    const names = [...objects.keys()].filter((name) => name > after).toSorted();
    const page = names.slice(0, PAGE);
    const contents = page.map((name) => {
      const { bytes, changedAt } = objects.get(name)!;
      return `<Contents><Key>${name}</Key><LastModified>${changedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`;
    });
    const isTruncated = names.length > page.length;
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    response.writeHead(200, { "Content-Type": "application/xml" });
    response.end(
      `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
    );
  }

  return {
    bucket: { endpoint: `http://127.0.0.1:${port}`, name: NAME, region: REGION, ...ACCESS },
    objects,
    state,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function sendError(response: ServerResponse, status: number, code: string, details = "") {
  response.writeHead(status, { "Content-Type": "application/xml" });
  response.end(
    `<Error><Code>${code}</Code>${details}<AWSAccessKeyId>${ACCESS.accessKeyId}</AWSAccessKeyId></Error>`,
  );
}

function isSigned({ method, url, headers }: IncomingMessage): boolean {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/;
  const [, scope = "", names = "", signature] = pattern.exec(headers.authorization ?? "") ?? [];
  const [id, day = "", ...rest] = scope.split("/");
  const at = String(headers["x-amz-date"]);
  const isOurs = id === ACCESS.accessKeyId && rest.join("/") === `${REGION}/s3/aws4_request`;
  if (!isOurs || !at.startsWith(day) || !/(^|;)host(;|$)/.test(names)) return false;
  const [path, query = ""] = url!.split("?");
  const signed = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const sortedQuery = query.split("&").toSorted().join("&");
  const hash = String(headers["x-amz-content-sha256"]);
  const canonical = [method, path, sortedQuery, signed.join(""), names, hash].join("\n");
  const digest = createHash("sha256").update(canonical).digest("hex");
  const toSign = ["AWS4-HMAC-SHA256", at, [day, ...rest].join("/"), digest].join("\n");
  let key: Buffer | string = `AWS4${ACCESS.secretAccessKey}`;
  for (const part of [day, ...rest, toSign]) key = createHmac("sha256", key).update(part).digest();
  return (key as Buffer).toString("hex") === signature;
}
