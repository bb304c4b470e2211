/** Thrown where a bounded wait was too short: nothing was done, and it may work a little later. */
export class BusyError extends Error {
  readonly retryAfterSeconds = 10;
}

/** Whose work it is. */
export interface Turn {
  client: string;
  account: string;
}

interface Limits {
  /** So much work runs at a time. */
  atOnce: number;
  /** Work that has not begun after so long fails. */
  maxWaitMs: number;
  /** When so much waits, further work fails at once. */
  maxWaiting: number;
}

type Start = () => void;
/** Waiting work by client and account; whose turn is next comes first. */
type Lines = Map<string, Map<string, Start[]>>;

/**
 * Runs slow work a few at a time. Clients take turns, and so do the accounts that one client works
 * on: a burst of one delays nobody else by more than one piece of work. Fails with BusyError where
 * the wait would be too long.
 */
export function createTurns({ atOnce, maxWaitMs, maxWaiting }: Limits) {
  const lines: Lines = new Map();
  let running = 0;
  let waiting = 0;

  function wait(turn: Turn): Promise<void> {
    if (waiting >= maxWaiting) throw new BusyError("too much work is waiting");
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timeout);
        waiting -= 1;
        resolve();
      };
      const timeout = setTimeout(() => {
        remove(lines, turn, start);
        waiting -= 1;
        reject(new BusyError("waited too long for a turn"));
      }, maxWaitMs);
      waiting += 1;
      add(lines, turn, start);
    });
  }

  return {
    async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
      if (running >= atOnce) await wait(turn);
      else running += 1;
      try {
        return await work();
      } finally {
        // The place is handed on, so that nobody slips in between.
        const next = takeNext(lines);
        if (next) next();
        else running -= 1;
      }
    },
  };
}

function add(lines: Lines, { client, account }: Turn, start: Start) {
  const ofClient = lines.get(client) ?? new Map<string, Start[]>();
  lines.set(client, ofClient);
  ofClient.set(account, [...(ofClient.get(account) ?? []), start]);
}

function remove(lines: Lines, { client, account }: Turn, start: Start) {
  const ofClient = lines.get(client);
  const left = ofClient?.get(account)?.filter((each) => each !== start) ?? [];
  if (left.length > 0) ofClient?.set(account, left);
  else ofClient?.delete(account);
  if (ofClient?.size === 0) lines.delete(client);
}

/** The first of the first account of the first client; who is served goes to the end of its line. */
function takeNext(lines: Lines): Start | undefined {
  const [client, ofClient] = first(lines) ?? [];
  const [account, [start, ...others] = []] = (ofClient && first(ofClient)) ?? [];
  if (client === undefined || account === undefined || !ofClient) return undefined;
  ofClient.delete(account);
  if (others.length > 0) ofClient.set(account, others);
  lines.delete(client);
  if (ofClient.size > 0) lines.set(client, ofClient);
  return start;
}

function first<K, V>(map: Map<K, V>): [K, V] | undefined {
  return map.entries().next().value;
}
