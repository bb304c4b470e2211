import { createHmac } from "node:crypto";
import type pg from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { log } from "#app/platform/log.server.ts";
import { PER_ADDRESS_AND_MINUTE } from "./rules.ts";

type Kind = keyof typeof PER_ADDRESS_AND_MINUTE;

export interface AddressLimits {
  /**
   * Counts one deed of a client address. Answers the seconds to wait when there were too many,
   * else null. When the counter's database fails the deed goes on, and the log says so.
   */
  count(kind: Kind, address: string): Promise<number | null>;
}

/** Counters per client address, kept in the database so that all processes share them. */
export function createAddressLimits(pool: pg.Pool, secret: string): AddressLimits {
  const limiters: Record<Kind, RateLimiterPostgres> = {
    "sign-in": createLimiter(pool, "sign-in"),
    "sign-up": createLimiter(pool, "sign-up"),
    mail: createLimiter(pool, "mail"),
  };
  return {
    async count(kind, address) {
      try {
        await limiters[kind].consume(keyOf(address, secret));
        return null;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return Math.ceil(refusal.msBeforeNext / 1_000) || 1;
        log.error({ err: refusal }, "address limits do not count");
        return null;
      }
    },
  };
}

function createLimiter(pool: pg.Pool, kind: Kind): RateLimiterPostgres {
  const points = PER_ADDRESS_AND_MINUTE[kind];
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    keyPrefix: kind,
    points,
    duration: 60,
    // Whoever is over the limit costs no more queries until the minute is over.
    inMemoryBlockOnConsumed: points + 1,
  });
}

// A plain hash of an address can be looked up in a table of all of them; a keyed one cannot.
function keyOf(address: string, secret: string): string {
  return createHmac("sha256", secret).update(networkOf(address)).digest("base64url");
}

/** An IPv4 address itself; of an IPv6 address the /64, all of which one household may use. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || !address.includes(":")) return mapped ?? address;
  const [head = "", tail] = (address.split("%")[0] ?? "").toLowerCase().split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(8 - left.length - right.length, 0);
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(.)/, "$1"))
    .join(":")}::/64`;
}
