#!/usr/bin/env bash
# pg sends statement_timeout as a startup parameter, but not when it is 0.
. "$(dirname "$0")/common.bash"
packages pg@8.23.1
cat > startup.mjs <<'END'
import { createServer } from "node:net";
import { once } from "node:events";
import pg from "pg";

const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");
const client = new pg.Client({
  host: "127.0.0.1", port: server.address().port, user: "u", database: "d", ssl: false,
  statement_timeout: Number(process.argv[2]),
});
client.on("error", () => {});
client.connect().catch(() => {});
const [socket] = await once(server, "connection");
const [packet] = await once(socket, "data");
console.log(packet.includes("statement_timeout") ? "sent" : "not sent");
process.exit(0);
END
expect "a statement_timeout of 5000 is in the startup packet" sent "$(node startup.mjs 5000)"
expect "a statement_timeout of 0, which would take off the limit of a role, is not" "not sent" "$(node startup.mjs 0)"
finish
