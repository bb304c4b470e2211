import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { invalidUploads } from "#test/pictures.ts";
import { isLong } from "#test/long.ts";

const folder = mkdtempSync(path.join(tmpdir(), "kickabout-memory-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SIDE = 5_000;
const background = { r: 9, g: 80, b: 30, alpha: 0.6 };
const large = (side = SIDE) =>
  sharp({ create: { width: side, height: side, channels: 4, background } });
const interlaced = { compressionLevel: 1, progressive: true };
const FILES = {
  interlaced: () => large().png(interlaced),
  sixteen: () => large().toColourspace("rgb16").png(interlaced),
  progressive: () => large().flatten().jpeg({ progressive: true }),
  beyond: () => large(7_000).png(interlaced),
};

const CHILD = `
  const [module, ...files] = process.argv.slice(1);
  const { squareWebps } = await import(module);
  const { readFileSync } = await import("node:fs");
  const { default: sharp } = await import("sharp");
  // A busy machine may take longer; memory is what is measured.
  sharp.prototype.timeout = function () { return this; };
  const uploads = files.map((file) => readFileSync(file));
  const before = process.resourceUsage().maxRSS;
  let isTaken = false;
  for (const bytes of uploads) isTaken ||= (await squareWebps(bytes, null, [512, 128])) !== null;
  const grownMb = (process.resourceUsage().maxRSS - before) / 1024;
  console.log(JSON.stringify({ isTaken, grownMb }));
`;

/** In a process of its own, whose highest mark nothing else has raised. */
async function readApart(uploads: Buffer[]): Promise<{ isTaken: boolean; grownMb: number }> {
  const files = uploads.map((_, index) => path.join(folder, `picture-${index}`));
  for (const [index, file] of files.entries()) writeFileSync(file, uploads[index]!);
  const module = path.join(import.meta.dirname, "uploaded-images.server.ts");
  const args = ["--input-type=module", "-e", CHILD, module, ...files];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout) as Awaited<ReturnType<typeof readApart>>;
}

// Eight bytes a pixel for the worst of them are 200 MB; twice as much as was seen is let through.
const WORST = ["sixteen", 500] as const;
const MORE = [
  ["interlaced", 300],
  ["progressive", 250],
] as const;
test.each(isLong ? [WORST, ...MORE] : [WORST])(
  "the largest picture that is let in, %s, stays below %i MB",
  async (kind, mostMb) => {
    const { isTaken, grownMb } = await readApart([await FILES[kind]().toBuffer()]);
    expect(isTaken).toBe(true);
    expect(grownMb).toBeLessThan(mostMb);
  },
);

test("one of 49 megapixels costs nothing", async () => {
  const { isTaken, grownMb } = await readApart([await FILES.beyond().toBuffer()]);
  expect(isTaken).toBe(false);
  expect(grownMb).toBeLessThan(60);
});

test("incomplete pictures cost little", async () => {
  const invalid = await invalidUploads();
  const { isTaken, grownMb } = await readApart(invalid.map(({ bytes }) => bytes));
  expect(isTaken).toBe(false);
  expect(grownMb).toBeLessThan(100);
});
