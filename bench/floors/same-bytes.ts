import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { findGame } from "#app/features/games/games.server.ts";
import { connect } from "#app/platform/connect.server.ts";
import { readDatabaseEnv } from "#app/platform/env.server.ts";

const { CAPTURED = "", CAPTURED_HEAD = "", GAME = "", PORT } = process.env;

/** Sends the captured bytes and headers after one look at the game: nothing could do less. */
const { db } = await connect(readDatabaseEnv());
const body = unchunk(readFileSync(CAPTURED), /transfer-encoding: chunked/i.test(CAPTURED_HEAD));
const headers = CAPTURED_HEAD.split("\r\n")
  .slice(1)
  .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])
  .filter(
    ([name]) => !/^(date|connection|keep-alive|transfer-encoding|content-length)$/i.test(name),
  )
  .flat();

createServer(async (request, response) => {
  if (request.url !== "/readyz" && !(await findGame(db, GAME, new Date())))
    response.statusCode = 404;
  response.writeHead(response.statusCode, [...headers, "Content-Length", `${body.length}`]);
  response.end(body);
}).listen(Number(PORT), "127.0.0.1");
process.once("SIGTERM", () => process.exit(0));

function unchunk(bytes: Buffer, isChunked: boolean): Buffer {
  if (!isChunked) return bytes;
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (!size) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 4 + size;
  }
}
