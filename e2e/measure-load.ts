import type { Page, Request } from "@playwright/test";
import { whenStarted } from "./when-started.ts";

/** What a page costs before anybody touches it; bytes as sent, without headers. */
export interface Load {
  html: number;
  /** With what the router asks about other routes. */
  script: number;
  scriptFiles: string[];
  style: number;
  styleFiles: number;
  font: number;
  fontFiles: number;
  image: number;
  layoutShift: number;
  origins: string[];
}

type Kind = "html" | "script" | "style" | "font" | "image";

/** Loads the address and waits until nothing more comes, prefetched and idle files included. */
export async function measureLoad(page: Page, url: string): Promise<Load> {
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
  for (const request of requests) {
    const kind = await kindOf(request);
    if (!kind) continue;
    sum[kind] += (await request.sizes()).responseBodySize;
    files[kind] += 1;
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".js")) scriptFiles.push(pathname.slice(1));
  }
  const origins = [...new Set(requests.map((request) => new URL(request.url()).origin))];
  const { style: styleFiles, font: fontFiles } = files;
  return { ...sum, scriptFiles, styleFiles, fontFiles, origins };
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
