import type { Browser, BrowserContext, Page, Request } from "@playwright/test";
import { FIRST_PAGES, scriptsOf } from "./chunks.ts";
import { expect, test, whenStarted } from "./fixtures.ts";
import { findGames } from "./games.ts";

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;
const KIB = 1024;

interface Budget {
  name: string;
  page: keyof typeof FIRST_PAGES;
  as?: "player";
  /** The page is text, and loads no script. */
  isPlain?: boolean;
  scriptKib: number;
  imageKb: number;
  /** All that is sent, with the headers of each response. */
  totalKb: number;
}

const BUDGETS: Budget[] = [
  { name: "the landing page", page: "/", isPlain: true, scriptKib: 2, imageKb: 24, totalKb: 70 },
  { name: "the games", page: "/events", as: "player", scriptKib: 110.5, imageKb: 24, totalKb: 194 },
  {
    name: "a game",
    page: "/events/{id}",
    as: "player",
    scriptKib: 118,
    imageKb: 16,
    totalKb: 188,
  },
  {
    name: "a game for a visitor",
    page: "/events/{id}",
    scriptKib: 118,
    imageKb: 16,
    totalKb: 188,
  },
];

for (const { name, page, as, isPlain, scriptKib, imageKb, totalKb } of BUDGETS) {
  test(`${name} keeps its budget`, async ({ browser, baseURL, database, signIn, context }) => {
    if (as) await signIn(as);
    const { open } = await findGames(database.db);
    const storageState = await context.storageState();
    const load = await measure(browser, storageState, baseURL + page.replace("{id}", open));
    const said = describeLoad(load);
    test.info().annotations.push({ type: name, description: said });
    expect.soft(load.origins, said).toEqual([baseURL]);
    expect.soft(load.script / KIB, said).toBeLessThanOrEqual(scriptKib);
    // The files that chunks.spec.ts holds to what may be in them are those that a browser loads.
    const scripts = isPlain ? [] : scriptsOf(FIRST_PAGES[page]);
    expect.soft(load.scriptFiles.toSorted(), said).toEqual(scripts.toSorted());
    expect.soft(load.html / 1000, said).toBeLessThanOrEqual(14);
    expect.soft(load.styleFiles, said).toBe(1);
    expect.soft(load.style / KIB, said).toBeLessThanOrEqual(12);
    expect.soft(load.fontFiles, said).toBe(1);
    expect.soft(load.font / KIB, said).toBeLessThanOrEqual(21.1);
    expect.soft(load.image / 1000, said).toBeLessThanOrEqual(imageKb);
    expect.soft(load.total / 1000, said).toBeLessThanOrEqual(totalKb);
    expect.soft(load.layoutShift, said).toBeLessThanOrEqual(0.01);
  });
}

for (const as of ["a visitor", "player"]) {
  test(`scripts wait for all that ${as} sees first`, async ({ page, database, signIn }) => {
    if (as === "player") await signIn(as);
    const { open } = await findGames(database.db);
    const scripts: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "script") scripts.push(new URL(request.url()).pathname);
    });
    let letGo!: () => void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route("**/photos/*", (route) => held.then(() => route.continue()));
    await page.goto(`/events/${open}`, { waitUntil: "domcontentloaded" });
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(scripts).toEqual([]);
    letGo();
    await page.waitForFunction(() => "__reactRouterDataRouter" in window);
    const files = scriptsOf(FIRST_PAGES["/events/{id}"]).map((file) => `/${file}`);
    expect(scripts).toEqual(expect.arrayContaining(files));
  });
}

for (const path of ["/events", "/events/{id}"]) {
  test(`the main picture of ${path} comes first, all others when they are near`, async ({
    page,
    database,
    signIn,
  }) => {
    await signIn("player");
    const { open } = await findGames(database.db);
    await page.goto(path.replace("{id}", open));
    const main = page.locator("main img[fetchpriority=high]");
    await expect(main).toHaveCount(1);
    await expect(main).toBeInViewport({ ratio: 0.9 });
    await expect(main).toHaveAttribute("loading", "eager");
    await expect(page.locator("main img:not([fetchpriority=high], [loading=lazy])")).toHaveCount(0);
  });
}

test("the font has its letters, widths and heights, to which its fallback is adjusted", async ({
  page,
}) => {
  await page.goto("/auth");
  const sizes = await page.evaluate(measureFont);
  // Browsers differ in how they round them.
  expect(sizes.widths.map((em) => Number(em.toFixed(3)))).toEqual([24.886, 25.742, 27.388]);
  expect(sizes.wide).toBeGreaterThan(1.15);
  const [adjust, ascent, descent] = sizes.overrides.map((text) => Number.parseFloat(text) / 100);
  expect(sizes.ascent).toBeCloseTo(ascent! * adjust!, 2);
  expect(sizes.descent).toBeCloseTo(descent! * adjust!, 2);
});

/** On a phone of twice the pixels, with nothing cached. */
async function measure(browser: Browser, storageState: StorageState, url: string) {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, deviceScaleFactor: 2, storageState });
  return measureLoad(await context.newPage(), url).finally(() => context.close());
}

function describeLoad(load: Load): string {
  const kib = (bytes: number) => `${(bytes / KIB).toFixed(1)} KiB`;
  return (
    `scripts ${kib(load.script)} in ${load.scriptFiles.length} files, html ${kib(load.html)}, ` +
    `css ${kib(load.style)}, font ${kib(load.font)}, images ${kib(load.image)}, ` +
    `all with headers ${kib(load.total)}, layout shift ${load.layoutShift.toFixed(4)}`
  );
}

/** What a page costs before anybody touches it; bytes as sent, without headers but in the total. */
interface Load {
  html: number;
  /** Includes what the router asks about other routes. */
  script: number;
  scriptFiles: string[];
  style: number;
  styleFiles: number;
  font: number;
  fontFiles: number;
  image: number;
  total: number;
  layoutShift: number;
  origins: string[];
}

/** In ems. A letter that the font lacks has another width, in any other font. */
async function measureFont() {
  const letters = "ABCÅÄÖÉŠŽabcåäöéšžçñøæßðþ0123456789€–’“”…→";
  for (const weight of [400, 600, 800]) await document.fonts.load(`${weight} 16px Archivo`);
  const brush = document.createElement("canvas").getContext("2d")!;
  const measure = (text: string, font: string, stretch: CanvasFontStretch = "normal") => {
    brush.font = font;
    brush.fontStretch = stretch;
    return brush.measureText(text);
  };
  const widthOf = (text: string, weight: number) =>
    measure(text, `${weight} 1000px Archivo`).width / 1000;
  const { fontBoundingBoxAscent, fontBoundingBoxDescent } = measure("x", "400 1000px Archivo");
  const [heading, narrow] = (["expanded", "normal"] as const).map(
    (stretch) => measure("SUNDAY", "800 1000px Archivo", stretch).width,
  );
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  const faces = rules.filter((rule) => rule instanceof CSSFontFaceRule);
  const { style } = faces.find(({ cssText }) => cssText.includes("Archivo fallback"))!;
  return {
    widths: [400, 600, 800].map((weight) => widthOf(letters, weight)),
    wide: heading! / narrow!,
    ascent: fontBoundingBoxAscent / 1000,
    descent: fontBoundingBoxDescent / 1000,
    overrides: ["size-adjust", "ascent-override", "descent-override"].map((name) =>
      style.getPropertyValue(name),
    ),
  };
}

type Kind = "html" | "script" | "style" | "font" | "image";

/** Loads the address and waits until nothing more comes, prefetched and idle files included. */
async function measureLoad(page: Page, url: string): Promise<Load> {
  const requests: Request[] = [];
  page.on("requestfinished", (request) => requests.push(request));
  await page.addInitScript(observeShifts);
  await page.goto(url);
  await whenStarted(page);
  await page.waitForLoadState("networkidle");
  const load = await addUp(requests);
  return { ...load, layoutShift: await page.evaluate(() => window.layoutShift) };
}

declare global {
  interface Window {
    layoutShift: number;
  }
}

function observeShifts() {
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      };
      if (!hadRecentInput) window.layoutShift += value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}

async function addUp(requests: Request[]) {
  const sum = { html: 0, script: 0, style: 0, font: 0, image: 0 };
  const files = { html: 0, script: 0, style: 0, font: 0, image: 0 };
  const scriptFiles: string[] = [];
  let total = 0;
  for (const request of requests) {
    const kind = await kindOf(request);
    if (!kind) continue;
    const { responseBodySize, responseHeadersSize } = await request.sizes();
    sum[kind] += responseBodySize;
    total += responseBodySize + responseHeadersSize;
    files[kind] += 1;
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".js")) scriptFiles.push(pathname.slice(1));
  }
  const origins = [...new Set(requests.map((request) => new URL(request.url()).origin))];
  const { style: styleFiles, font: fontFiles } = files;
  return { ...sum, total, scriptFiles, styleFiles, fontFiles, origins };
}

async function kindOf(request: Request): Promise<Kind | null> {
  if (request.url().startsWith("data:")) return null;
  if (new URL(request.url()).pathname === "/__manifest") return "script";
  const type = (await (await request.response())?.headerValue("content-type")) ?? "";
  if (type.includes("javascript")) return "script";
  if (type.includes("css")) return "style";
  if (type.includes("html")) return "html";
  if (type.includes("font")) return "font";
  return type.startsWith("image/") ? "image" : null;
}
