import { once } from "node:events";
import { createServer } from "node:http";

/** The site at an address of its own, where a next build can be put in the place of the last. */
interface NextDeploy {
  url: string;
  /** From now on the service worker is another build's. */
  next(): void;
  stop(): Promise<void>;
}

export async function startNextDeploy(site: string): Promise<NextDeploy> {
  let isNext = false;
  const server = createServer(async ({ url = "/" }, response) => {
    const answer = await fetch(site + url, { redirect: "manual" });
    const headers = Object.fromEntries(answer.headers);
    // What fetch has unpacked goes on as it is.
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) {
      delete headers[name];
    }
    let body = Buffer.from(await answer.arrayBuffer());
    if (isNext && url === "/sw.js") {
      body = Buffer.from(body.toString().replace(/offline-\w+/, "$&-next"));
    }
    response.writeHead(answer.status, headers).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    next: () => (isNext = true),
    async stop() {
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
}
