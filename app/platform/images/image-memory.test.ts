import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";

const folder = mkdtempSync(path.join(tmpdir(), "kickabout-memory-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SIDE = 5_000;
const background = { r: 9, g: 80, b: 30, alpha: 0.6 };
const large = (side = SIDE) =>
  sharp({ create: { width: side, height: side, channels: 4, background } });
const flat = { compressionLevel: 1 };
let files: Record<"interlaced" | "sixteen" | "progressive" | "beyond", Buffer>;
beforeAll(async () => {
  files = {
    interlaced: await large()
      .png({ ...flat, progressive: true })
      .toBuffer(),
    sixteen: await large()
      .toColourspace("rgb16")
      .png({ ...flat, progressive: true })
      .toBuffer(),
    progressive: await large().flatten().jpeg({ progressive: true }).toBuffer(),
    beyond: await large(7_000)
      .png({ ...flat, progressive: true })
      .toBuffer(),
  };
}, 120_000);

const CHILD = `
  const [module, file] = process.argv.slice(1);
  const { squareWebps } = await import(module);
  const bytes = (await import("node:fs")).readFileSync(file);
  const before = process.resourceUsage().maxRSS;
  const pictures = await squareWebps(bytes, null, [512, 128]);
  const grownMb = (process.resourceUsage().maxRSS - before) / 1024;
  console.log(JSON.stringify({ isTaken: pictures !== null, grownMb }));
`;

/** In a process of its own, whose highest mark nothing else has raised. */
function readApart(bytes: Buffer): { isTaken: boolean; grownMb: number } {
  const file = path.join(folder, "picture");
  writeFileSync(file, bytes);
  const module = path.join(import.meta.dirname, "uploaded-images.server.ts");
  const args = ["--input-type=module", "-e", CHILD, module, file];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout) as ReturnType<typeof readApart>;
}

// Eight bytes a pixel for the worst of them are 200 MB; twice as much as was seen is let through.
test.each([
  ["interlaced", 300],
  ["sixteen", 500],
  ["progressive", 250],
] as const)("the largest picture that is let in, %s, stays below %i MB", (kind, mostMb) => {
  const { isTaken, grownMb } = readApart(files[kind]);
  expect(isTaken).toBe(true);
  expect(grownMb).toBeLessThan(mostMb);
});

test("one of 49 megapixels costs nothing", () => {
  const { isTaken, grownMb } = readApart(files.beyond);
  expect(isTaken).toBe(false);
  expect(grownMb).toBeLessThan(60);
});
