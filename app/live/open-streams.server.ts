import type { ServerResponse } from "node:http";

/** Comments keep streams open in proxies, which close them after 30 to 60 s of silence. */
const BEAT_SECONDS = 20;
/** How many pages a second read their data again when a game that all of them show changes. */
const PAGES_PER_SECOND = 50;

export interface OpenStream {
  response: ServerResponse;
  /** Bytes that may wait for a slow reader. */
  mayWait: number;
  /** `id` is a line of its own, or empty. */
  send(event: string, data: string, id?: string): void;
}

export function createOpenStreams() {
  const streams = new Set<OpenStream>();
  // One part of all streams each second, so that a thousand comments are not written at once.
  const beats = Array.from({ length: BEAT_SECONDS }, () => new Set<OpenStream>());
  let [second, opened] = [0, 0];
  let isClosed = false;
  const beating = setInterval(() => {
    second = (second + 1) % BEAT_SECONDS;
    for (const stream of beats[second]!) write(stream, ":\n\n");
  }, 1_000).unref();

  // One write a turn: what waits within it, such as a long list, says nothing of a slow reader.
  const unsent = new Map<OpenStream, string>();
  function write(stream: OpenStream, text: string) {
    if (unsent.size === 0) setImmediate(sendAll);
    unsent.set(stream, (unsent.get(stream) ?? "") + text);
  }
  function sendAll() {
    for (const [stream, text] of unsent) send(stream, text);
    unsent.clear();
  }

  return {
    /** Until the response closes. */
    open(response: ServerResponse, mayWait: number): OpenStream {
      let paceMs = 0;
      /** Says over how long a page is to spread its reading, since the number of watchers changes. */
      function pace(): string {
        const before = paceMs;
        paceMs = paceOf(streams.size);
        return paceMs === before ? "" : `event: pace\ndata: ${paceMs}\n\n`;
      }
      const stream: OpenStream = {
        response,
        mayWait,
        send: (event, data, id = "") =>
          write(stream, `${pace()}event: ${event}\n${id}data: ${data}\n\n`),
      };
      const beat = beats[(opened += 1) % BEAT_SECONDS]!;
      streams.add(stream);
      beat.add(stream);
      response.once("close", () => {
        streams.delete(stream);
        beat.delete(stream);
      });
      response.writeHead(200, HEADERS);
      response.write(`retry: ${Math.round(2_000 + Math.random() * 3_000)}\n:\n\n`);
      if (isClosed) response.end();
      return stream;
    },
    count: () => streams.size,
    close() {
      isClosed = true;
      clearInterval(beating);
      for (const { response } of streams) response.end();
    },
  };
}

function send({ response, mayWait }: OpenStream, text: string): void {
  if (response.destroyed || response.writableEnded) return;
  // Anybody who reconnects gets the current state.
  if (response.writableLength > mayWait) response.destroy();
  else response.write(text);
}

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store, no-transform",
  // nginx would otherwise buffer the stream.
  "X-Accel-Buffering": "no",
};

/** Powers of two, so that few streams must be updated. */
function paceOf(watching: number): number {
  const seconds = Math.max(1, watching / PAGES_PER_SECOND);
  return 1_000 * 2 ** Math.ceil(Math.log2(seconds));
}
