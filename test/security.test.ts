import { existsSync, readFileSync } from "node:fs";
import { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import path from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { setSecurityHeaders } from "#app/platform/http.server.ts";
import { log } from "#app/platform/log.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { closeServers, listen } from "#app/platform/serve.server.ts";

// What docs/security.md promises and no other test proves, and that its proofs are there.
test("every test and decision that docs/security.md names is there", () => {
  const page = readFileSync(path.join(projectRoot, "docs/security.md"), "utf8");
  const links =
    page.match(/\[[^\]]+\]\([^)]+\) › `[^`]+`(?:, `[^`]+`)*|\[decision \d+\]\([^)]+\)/g) ?? [];
  expect(links.length).toBeGreaterThan(150);
  expect(links.flatMap(mistakeOf)).toEqual([]);
});

test("docs/security.md leaves nothing open: no proof is missing, no cell empty", () => {
  const page = readFileSync(path.join(projectRoot, "docs/security.md"), "utf8");
  expect(page.match(/^.*(?:TEST\?|\|\s*…\s*\|).*$/gm) ?? []).toEqual([]);
});

test("with https every answer asks for https for a year, subdomains too", () => {
  const headersOf = (isHttps: boolean) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    setSecurityHeaders(response, isHttps);
    return response.getHeader("Strict-Transport-Security");
  };
  expect(headersOf(true)).toBe("max-age=31536000; includeSubDomains");
  expect(headersOf(false)).toBeUndefined();
});

test.each([
  ["a length beside chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked"],
  ["chunks by another name", "Transfer-Encoding: xchunked"],
  ["a blank before the colon", "Content-Length : 5"],
])(
  "a request whose end is in doubt is rejected, and nothing behind it is answered: %s",
  async (_, head) => {
    const asked: (string | undefined)[] = [];
    const servers = await listen(
      (request, response) => {
        asked.push(request.url);
        request.resume().on("end", () => response.end("answered"));
      },
      { port: 0, hosts: ["127.0.0.1"] },
    );
    const { port } = servers[0]!.address() as AddressInfo;
    const second = "GET /smuggled HTTP/1.1\r\nHost: kick.example\r\nConnection: close\r\n\r\n";
    const raw = `POST /first HTTP/1.1\r\nHost: kick.example\r\n${head}\r\n\r\n0\r\n\r\n${second}`;
    expect(await send(port, raw)).toMatch(/^HTTP\/1\.1 400 /);
    expect(asked).not.toContain("/smuggled");
    await closeServers(servers);
  },
);

/** What comes back on a connection until it ends. */
function send(port: number, raw: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(raw));
    socket.on("data", (piece) => (heard += String(piece)));
    socket.on("close", () => resolve(heard)).on("error", reject);
  });
}

test("what somebody sends makes no line of its own in the log", () => {
  const lines: string[] = [];
  const level = log.level;
  const stream = Reflect.get(log, pino.symbols.streamSym);
  Object.assign(log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
  log.level = "info";
  const forged = '/a\n{"level":30,"msg":"signed in"}\r\u2028';
  log.warn({ path: forged }, "not found");
  log.error({ err: new Error(forged) }, "request failed");
  Object.assign(log, { [pino.symbols.streamSym]: stream, level });
  expect(lines.map((line) => line.trimEnd().split(/[\r\n]/).length)).toEqual([1, 1]);
  expect(JSON.parse(lines[0]!)).toMatchObject({ path: forged, msg: "not found" });
});

/** What is wrong with one proof: tests by their file and titles, or a decision by its file. */
function mistakeOf(proof: string): string[] {
  const [, decision] = /^\[decision \d{3}\]\(decisions\/([^)]+)\)(?:: .+)?$/.exec(proof) ?? [];
  if (decision) {
    const isThere = existsSync(path.join(projectRoot, "docs/decisions", decision));
    return isThere ? [] : [`no decision ${decision}`];
  }
  const [, label, file, titles] = /^\[(.+)\]\(\.\.\/([^)]+)\) › `(.+)`$/.exec(proof) ?? [];
  if (!label || !file || !titles) return [`what is ${proof}?`];
  if (label !== file) return [`not ${label}`];
  if (!existsSync(path.join(projectRoot, file))) return [`no file ${file}`];
  const missing = titles.split("`, `").filter((title) => !hasTest(file, title));
  return missing.map((title) => `no one test ${title}`);
}

/** Whether the file has a test of that title, or one alone with that in its title. */
function hasTest(file: string, wanted: string): boolean {
  const titles = titlesIn(readFileSync(path.join(projectRoot, file), "utf8"));
  return titles.includes(wanted) || titles.filter((title) => title.includes(wanted)).length === 1;
}

/** The titles of `test("…",` and of `test.each(…)("…",`. */
function titlesIn(source: string): string[] {
  const calls = source.matchAll(
    /(?:\btest|\))\(\s*(?:"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)\s*,/g,
  );
  return [...calls].map(([, plain, template]) => (plain ?? template ?? "").replaceAll('\\"', '"'));
}
