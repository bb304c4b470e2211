import { once } from "node:events";
import * as http from "node:http";
import type { AddressInfo } from "node:net";

const CHECK_MS = 1_000;

/**
 * A round-robin proxy as plain as they come: it asks each process for /readyz once a second, keeps
 * connections open, and sends nothing twice. What it cannot hand on is 502.
 */
export async function startPlainProxy(ports: number[]) {
  const backends = ports.map((port) => ({ port, isHealthy: true }));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const failures: string[] = [];
  let turn = 0;
  const proxy = http.createServer((request, response) => {
    const healthy = backends.filter(({ isHealthy }) => isHealthy);
    const backend = healthy[(turn += 1) % healthy.length];
    const fail = (why: string) => {
      failures.push(`${request.method} ${request.url}: ${why}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    };
    if (!backend) return fail("nobody is healthy");
    const { method, url, headers } = request;
    const onward = http.request(
      { host: "127.0.0.1", port: backend.port, agent, method, path: url, headers },
      (answer) => {
        const { connection: _, "keep-alive": __, ...kept } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, kept);
        answer.on("error", (error) => fail(error.message)).pipe(response);
      },
    );
    onward.on("error", (error) => fail(`${backend.port} ${error.message}`));
    request.pipe(onward);
  });
  const check = async (backend: { port: number; isHealthy: boolean }) => {
    const asked = http.get({
      ...{ host: "127.0.0.1", port: backend.port, path: "/readyz" },
      ...{ agent: false, timeout: CHECK_MS },
    });
    const answer = await once(asked, "response").catch(() => []);
    answer[0]?.resume();
    backend.isHealthy = answer[0]?.statusCode === 200;
  };
  const checks = setInterval(() => backends.forEach((backend) => void check(backend)), CHECK_MS);
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    failures,
    isHealthy: (port: number) => backends.some((one) => one.port === port && one.isHealthy),
    close() {
      clearInterval(checks);
      agent.destroy();
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
