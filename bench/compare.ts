import type { Server } from "./app-under-test.ts";
import { loadFor, type Measured } from "./load.ts";
import { median } from "./table.ts";

export interface Round extends Measured {
  /** CPU of the server alone, in milliseconds a request. */
  cpuMs: number;
}

/** One round of the same request on a server, with the CPU that it took there. */
export async function pageRound(server: Server, text: string, seconds = 2): Promise<Round> {
  return withCpu([server], () => loadFor(server.port, 16, seconds, text));
}

/** Runs a measurement and adds the CPU of these servers, by requests. */
export async function withCpu(servers: Server[], run: () => Promise<Measured>): Promise<Round> {
  const used = () => servers.reduce((sum, server) => sum + server.cpuSeconds(), 0);
  const before = used();
  const measured = await run();
  const requests = [...measured.statuses.values()].reduce((a, b) => a + b, 0);
  return { ...measured, cpuMs: ((used() - before) * 1_000) / requests };
}

export interface Comparison<A, B> {
  app: A;
  floor: B;
  ratio: number;
}

type Speed = { perSecond: number };

/**
 * Both in turns, so that whatever else the machine does hits both; the ratio is the median of the
 * rounds' ratios, and the measurements are those of that round. The first turn only warms up.
 */
export async function inTurns<A extends Speed, B extends Speed>(
  rounds: number,
  app: (round: number) => Promise<A>,
  floor: (round: number) => Promise<B>,
): Promise<Comparison<A, B>> {
  const turns: Comparison<A, B>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const a = await app(round);
    const b = await floor(round);
    if (round > 0) turns.push({ app: a, floor: b, ratio: a.perSecond / b.perSecond });
  }
  const middle = median(turns.map(({ ratio }) => ratio));
  return turns.find(({ ratio }) => ratio === middle)!;
}

/** A row of the table: the app beside its floor. */
export function comparisonRow(
  name: string,
  { app, floor, ratio }: Comparison<Round, Speed & { p50: number; cpuMs?: number }>,
  toReach: string,
) {
  return {
    benchmark: name,
    "app/s": app.perSecond,
    "p50 ms": app.p50,
    "p99 ms": app.p99,
    "CPU ms": app.cpuMs,
    "floor/s": floor.perSecond,
    "floor ms": floor.p50,
    "floor CPU": floor.cpuMs ?? "–",
    ratio,
    "to reach": toReach,
  };
}

/** Throws where anything else than this status came: a fast error is no result. */
export function mustBe(measured: Measured, status: number): void {
  const wrong = [...measured.statuses].filter(([code]) => code !== status);
  if (wrong.length > 0) throw new Error(`statuses other than ${status}: ${wrong.join("; ")}`);
}
