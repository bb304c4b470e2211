import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { collectDefaultMetrics } from "prom-client";
import { log } from "#app/platform/log.server.ts";
import { registry } from "./metrics.server.ts";

interface Place {
  port: number;
  host: string;
}

// GET /metrics on its own port, which no proxy leads to. `refresh` must be quick. If the port is
// taken or the address is not this machine's, the process runs without: pages matter more.
export async function serveMetrics({ port, host }: Place, refresh: () => Promise<void>) {
  if (!registry.getSingleMetric("nodejs_eventloop_lag_seconds")) {
    collectDefaultMetrics({ register: registry });
  }
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") {
      return void response.writeHead(404).end();
    }
    refresh()
      .then(() => registry.metrics())
      .then(
        (text) => response.writeHead(200, { "Content-Type": registry.contentType }).end(text),
        (error: unknown) => {
          log.error({ err: error }, "metrics");
          response.writeHead(500).end();
        },
      );
  });
  server.on("error", (error) => log.error({ err: error, port, host }, "metrics are not served"));
  await new Promise((resolve) => {
    server.once("listening", resolve).once("error", resolve).listen(port, host);
  });
  return { server, close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}
