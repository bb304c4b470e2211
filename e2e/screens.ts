import type { Screen } from "./screens/scenario.ts";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "@playwright/test";
import sharp from "sharp";
import { projectRoot } from "#app/platform/root.server.ts";
import { findBrowser } from "#test/browser.ts";
import { SCREENS } from "./screens/all.ts";
import { type Look, lookAt, LOOKS, openScreen, openStage, type Stage } from "./screens/stage.ts";

const FOLDER = path.join(projectRoot, ".cache", "screens");
const LANES = 2;
// Small enough to send all of them: long pages are cut, wide ones are scaled down.
const SCREENFULS = 1.5;
const WIDEST = 720;

/**
 * `node e2e/screens.ts [FOLDER] [NAME …]`: a picture of every page and state, for phone and desktop,
 * light and dark, into `.cache/screens` or the folder. Without names they replace what it had. With
 * `--sizes 320x700,390x844@200`, of which the last is with text at 200 %, only what is on such a screen.
 */
async function drawScreens(folder: string, names: string[], looks: Look[] | null) {
  const wanted = SCREENS.filter(({ name }) => names.length === 0 || names.includes(name));
  mkdirSync(folder, { recursive: true });
  const stage = await openStage();
  const browser = await chromium.launch(findBrowser());
  const drawn: string[] = [];
  const failed: unknown[] = [];
  try {
    const queue = wanted.values();
    const work = async () => {
      for (const screen of queue) {
        try {
          drawn.push(...(await drawScreen(browser, stage, { screen, folder, looks })));
        } catch (error) {
          failed.push(new Error(`${screen.name} cannot be drawn`, { cause: error }));
        }
      }
    };
    await Promise.all(Array.from({ length: LANES }, work));
  } finally {
    await browser.close();
    await stage.close();
  }
  if (failed.length > 0) throw new AggregateError(failed, failed.join("\n"));
  if (names.length === 0) removeOthers(folder, drawn);
  process.stdout.write(`${drawn.length} pictures in ${folder}\n`);
}

interface Drawing {
  screen: Screen;
  folder: string;
  looks: Look[] | null;
}

async function drawScreen(browser: Browser, stage: Stage, { screen, folder, looks }: Drawing) {
  const { page, close } = await openScreen(browser, stage, screen);
  const files: string[] = [];
  for (const look of looks ?? LOOKS) {
    await lookAt(page, screen, look);
    if (!looks && !screen.isCropped && !screen.toast) await growToPage(page);
    await loadPictures(page);
    const { width, height, text } = look;
    const size = looks ? `${width}x${height}${text ? `@${text}` : ""}` : width;
    const file = `${screen.name}-${size}-${look.theme}.webp`;
    const picture = sharp(await page.screenshot()).resize({
      width: WIDEST,
      withoutEnlargement: true,
    });
    await picture.webp({ quality: 35, effort: 6 }).toFile(path.join(folder, file));
    files.push(file);
  }
  await close();
  return files;
}

/** Drawn in a picture of the whole page, bars at the lower edge would stand in its middle. */
async function growToPage(page: Page) {
  const { width, height } = page.viewportSize()!;
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const grown = Math.min(Math.max(height, whole), SCREENFULS * height);
  await page.setViewportSize({ width, height: grown });
}

/** Pictures further down load as they come near; a picture of the whole page needs them all. */
async function loadPictures(page: Page) {
  await page.evaluate(async () => {
    const images = [...document.images].filter((image) => image.checkVisibility());
    for (const image of images) image.loading = "eager";
    await Promise.all(images.map((image) => image.decode().catch(() => {})));
    await document.fonts.ready;
  });
}

function removeOthers(folder: string, drawn: string[]) {
  const pictures = readdirSync(folder).filter((name) => /\.(webp|png)$/.test(name));
  for (const name of pictures) {
    if (!drawn.includes(name)) rmSync(path.join(folder, name));
  }
}

/** Each size in light and dark. */
function readLooks(sizes: string): Look[] {
  return sizes.split(",").flatMap((size) => {
    const [width = 0, height = 0, text] = size.split(/[x@]/).map(Number);
    const look = { width, height, ...(text ? { text } : {}) };
    return [
      { ...look, theme: "light" as const },
      { ...look, theme: "dark" as const },
    ];
  });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sizes: { type: "string" } },
});
const [folder = FOLDER, ...names] = positionals;
await drawScreens(folder, names, values.sizes ? readLooks(values.sizes) : null);
