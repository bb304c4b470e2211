#!/usr/bin/env bash
. "$(dirname "$0")/common.bash"
# HAProxy hands each part of a stream to the kernel with MSG_MORE, which Linux holds back for 200 ms.
program haproxy haproxy
haproxy -v | sed -n 1p

cat >stream.mjs <<'END'
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import http from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const freePort = async () => {
  const server = http.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
};
let stream;
const server = http.createServer((_, response) => {
  stream = response.writeHead(200, { "Content-Type": "text/event-stream" });
  stream.flushHeaders();
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const port = await freePort();
writeFileSync("haproxy.cfg", `defaults
  mode http
  timeout connect 2s
  timeout client 65s
  timeout server 65s
  ${process.argv[2]}
listen site
  bind 127.0.0.1:${port}
  server one 127.0.0.1:${server.address().port}
`);
const proxy = spawn("haproxy", ["-db", "-f", "haproxy.cfg"], { stdio: "ignore" });
const get = () => once(http.get(`http://127.0.0.1:${port}/`), "response").catch(() => null);
let found = null;
while (!found) found = (await get()) ?? (await delay(50));
const [response] = found;
const late = [];
for (let n = 0; n < 7; n += 1) {
  await delay(300);
  const began = performance.now();
  stream.write("data: event\n\n");
  await once(response, "data");
  late.push(Math.round(performance.now() - began));
}
const median = late.sort((one, other) => one - other)[3];
console.error(`events after ${late.join(", ")} ms`);
console.log(median >= 150 ? "late" : "at once");
proxy.kill();
process.exit(0);
END
expect "events through HAProxy with its defaults" late "$(node stream.mjs "")"
expect "events through HAProxy with http-no-delay" "at once" "$(node stream.mjs "option http-no-delay")"
finish
