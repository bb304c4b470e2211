import { type Server, startApp } from "./app-under-test.ts";
import { mustBe, type Round, withCpu } from "./compare.ts";
import { load, loadFor, request } from "./load.ts";
import { median, printTable } from "./table.ts";
import { stageGames, type Scenario } from "./scenario.ts";

const ROUNDS = 3;
const SECONDS = 2;
const WARM_SECONDS = 10;
const CLIENTS = 16;

/** Two web processes on one database beside one, on the page that costs most to render. */
export async function benchProcesses(app: Server, scenario: Scenario): Promise<void> {
  await stageGames(scenario.pool, { from: 100, count: 40, seats: 12 });
  const second = await startApp(scenario.dataDir);
  const page = request("/events", { cookie: scenario.cookies[0] });
  // Warms it up, like the other.
  await loadFor(second.port, CLIENTS, WARM_SECONDS, page);
  const turns: { one: Round; two: Round }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const one = await loadAll([app], page);
    const two = await loadAll([app, second], page);
    if (round > 0) turns.push({ one, two });
  }
  await second.stop();
  const middle = (pick: (turn: { one: Round; two: Round }) => number) => median(turns.map(pick));
  const row = (name: string, pick: (round: Round) => number, toReach: string) => ({
    "/events signed in": name,
    "one process": middle(({ one }) => pick(one)),
    two: middle(({ two }) => pick(two)),
    ratio: middle(({ one, two }) => pick(two) / pick(one)),
    "to reach": toReach,
  });
  printTable("Two web processes on one database", [
    row("requests/s", (round) => round.perSecond, "≥ 1.4"),
    row("CPU ms a request", (round) => round.cpuMs, "≤ 1.15"),
    row("p50 ms", (round) => round.p50, "–"),
  ]);
}

/** The same number of clients in all, shared out evenly. */
async function loadAll(servers: Server[], page: string): Promise<Round> {
  const end = performance.now() + SECONDS * 1_000;
  const next = () => (performance.now() < end ? page : null);
  const ports = servers.map(({ port }) => port);
  const round = await withCpu(servers, () => load(ports, CLIENTS, next));
  mustBe(round, 200);
  return round;
}
