import { writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "vite";
import { projectRoot } from "#app/platform/root.server.ts";
import { type Server, startServer } from "./app-under-test.ts";
import { comparisonRow, inTurns, mustBe, pageRound } from "./compare.ts";
import { ask, request } from "./load.ts";
import { printTable } from "./table.ts";
import { stageGames, type Scenario } from "./scenario.ts";

const ROUNDS = 3;
const BROWSER = "gzip, deflate, br";

/** The two pages that matter most, each beside the least that could serve it. */
export async function benchPages(app: Server, scenario: Scenario): Promise<void> {
  printTable("Pages, 16 clients, one web process", [
    await visitorsGame(app, scenario),
    ...(await playersGames(app, scenario)),
  ]);
}

async function visitorsGame(app: Server, scenario: Scenario) {
  const game = await scenario.db
    .selectFrom("games")
    .select("id")
    .where("status", "=", "Published")
    .where("starts_at", ">", new Date(Date.now() + 48 * 3_600_000))
    .where("seats_taken", ">", 3)
    .executeTakeFirstOrThrow();
  const page = request(`/events/${game.id}`, { encoding: BROWSER });
  const { head, body } = await ask(app.port, page);
  const captured = path.join(scenario.dataDir, "page.bin");
  writeFileSync(captured, body);
  const floor = await startServer(["bench/floors/same-bytes.ts"], scenario.dataDir, {
    CAPTURED: captured,
    CAPTURED_HEAD: head,
    GAME: game.id,
  });
  const compared = await inTurns(ROUNDS, checked(app, page), checked(floor, page));
  await floor.stop();
  return comparisonRow("/events/{id}, visitors; floor: same bytes, one query", compared, "0.25");
}

async function playersGames(app: Server, scenario: Scenario) {
  await stageGames(scenario.pool, { from: 1, count: 40, seats: 12 });
  const cookie = scenario.cookies[0];
  const plain = request("/events", { cookie });
  const { body } = await ask(app.port, plain);
  const head = /[\s\S]*<body>/.exec(body.toString())?.[0] ?? "";
  const floor = await startServer([await buildFloor()], scenario.dataDir, { DOCUMENT_HEAD: head });
  const uncompressed = await inTurns(ROUNDS, checked(app, plain), checked(floor, plain));
  const zipped = request("/events", { cookie, encoding: BROWSER });
  const compressed = await inTurns(2, checked(app, zipped), checked(floor, zipped));
  await floor.stop();
  return [
    comparisonRow("/events, 40 games; floor: renderToString", uncompressed, "0.35"),
    comparisonRow("  the same, app compressing for a browser", compressed, "–"),
  ];
}

/** The floor of React needs the pages themselves, which are TSX: bundled as the app is. */
async function buildFloor(): Promise<string> {
  const outDir = path.join(projectRoot, ".cache", "bench");
  await build({
    root: projectRoot,
    configFile: false,
    logLevel: "error",
    build: { ssr: "bench/floors/events-page.tsx", outDir, emptyOutDir: true },
  });
  return path.join(outDir, "events-page.js");
}

function checked(server: Server, page: string) {
  return async () => {
    const round = await pageRound(server, page);
    mustBe(round, 200);
    return round;
  };
}
