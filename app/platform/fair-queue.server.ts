export class BusyError extends Error {
  readonly retryAfterSeconds = 10;
}

export interface Requester {
  client: string;
  account: string;
}

export interface Limits {
  atOnce: number;
  maxWaitMs: number;
  /** Beyond this, the newest job of the client with the most waiting fails at once. */
  maxWaiting: number;
}

interface Waiting {
  account: string;
  start(): void;
  fail(reason: string): void;
}
type Lines = Map<string, Waiting[]>;

/** Round robin by client, then by account: a burst delays others by one job. Throws BusyError. */
export function createFairQueue({ atOnce, maxWaitMs, maxWaiting }: Limits) {
  const lines: Lines = new Map();
  let running = 0;
  let waiting = 0;

  function wait({ client, account }: Requester): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timeout);
        waiting -= 1;
      };
      const mine: Waiting = {
        account,
        start() {
          leave();
          resolve();
        },
        fail(reason) {
          leave();
          removeWaiting(lines, client, mine);
          reject(new BusyError(reason));
        },
      };
      const timeout = setTimeout(() => mine.fail("waited too long in the queue"), maxWaitMs);
      waiting += 1;
      lines.set(client, [...(lines.get(client) ?? []), mine]);
      if (waiting > maxWaiting) longest(lines).at(-1)?.fail("too much work is waiting");
    });
  }

  return {
    async run<T>(requester: Requester, work: () => Promise<T>): Promise<T> {
      if (running >= atOnce) await wait(requester);
      else running += 1;
      try {
        return await work();
      } finally {
        // Hands its slot over directly, so that no newcomer takes it.
        const next = takeNext(lines);
        if (next) next.start();
        else running -= 1;
      }
    },
  };
}

function removeWaiting(lines: Lines, client: string, work: Waiting) {
  const left = lines.get(client)?.filter((each) => each !== work) ?? [];
  if (left.length > 0) lines.set(client, left);
  else lines.delete(client);
}

function longest(lines: Lines): Waiting[] {
  return [...lines.values()].reduce((most, line) => (line.length > most.length ? line : most), []);
}

function takeNext(lines: Lines): Waiting | undefined {
  const [client, line] = lines.entries().next().value ?? [];
  const next = line?.shift();
  if (client === undefined || !line || !next) return undefined;
  lines.delete(client);
  const others = line.filter(({ account }) => account !== next.account);
  const same = line.filter(({ account }) => account === next.account);
  if (line.length > 0) lines.set(client, [...others, ...same]);
  return next;
}
