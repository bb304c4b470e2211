import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Db } from "#app/platform/db.server.ts";
import { NOW } from "./fixtures.ts";

interface Pushed {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A push service on loopback that answers with `mood.status`, or not at all without one. */
export async function openPushService() {
  const mood: { status: number | null } = { status: 201 };
  const pushed: Pushed[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url: path = "", headers } = request;
    pushed.push({ path, headers, body: Buffer.concat(chunks) });
    if (mood.status !== null) response.writeHead(mood.status, { Location: "/elsewhere" }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mood,
    pushed,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A browser's own side of a subscription. */
export function aBrowser() {
  const pair = createECDH("prime256v1");
  const p256dh = pair.generateKeys("base64url");
  const auth = randomBytes(16);
  return {
    keys: { p256dh, auth: auth.toString("base64url") },
    read: (body: Buffer) => decrypt(body, pair, auth),
  };
}

/** Registers a browser as a device of a player who is signed in there. */
export async function aDevice(db: Db, userId: string, endpoint: string, browser = aBrowser()) {
  const sessions = db.insertInto("sessions").values({
    user_id: userId,
    token: randomBytes(16).toString("hex"),
    expires_at: new Date(NOW.getTime() + 30 * 86_400_000),
  });
  const { id: sessionId } = await sessions.returning("id").executeTakeFirstOrThrow();
  const device = { user_id: userId, session_id: sessionId, endpoint, ...browser.keys };
  const devices = db.insertInto("push_subscriptions").values({ ...device, created_at: NOW });
  const { id } = await devices.returning("id").executeTakeFirstOrThrow();
  return { id, sessionId, read: browser.read };
}

/** RFC 8291 with the content encoding of RFC 8188: one record. */
function decrypt(body: Buffer, pair: ECDH, auth: Buffer): unknown {
  const salt = body.subarray(0, 16);
  const length = body.readUInt8(20);
  const theirs = body.subarray(21, 21 + length);
  const sealed = body.subarray(21 + length);
  const secret = pair.computeSecret(theirs);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), theirs]);
  const ikm = derive(secret, auth, info, 32);
  const key = derive(ikm, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(ikm, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // A delimiter ends the text, and padding may follow it.
  return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString());
}

const derive = (key: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync("sha256", key, salt, info, length));

/** The claims of a VAPID header (RFC 8292), if it is signed by the key that it names. */
export function readVapid(header = "") {
  const { t: token = "", k: publicKey = "" } = Object.fromEntries(
    Array.from(header.matchAll(/\b([tk])=([\w.-]+)/g), ([, name, value]) => [name, value]),
  ) as Record<string, string>;
  const [head, claims, signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString("base64url"),
  );
  const key = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x!, y: y! } });
  const signed = Buffer.from(`${head}.${claims}`);
  const isSigned = verify(
    "sha256",
    signed,
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) throw new Error("the token is not signed by its key");
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims ?? "", "base64url").toString()) as {
    aud: string;
    exp: number;
    sub: string;
  };
  return { aud, exp, sub, publicKey };
}
