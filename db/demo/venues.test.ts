import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PHOTO_FORMS } from "#app/platform/images/uploaded-images.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { DEMO_VENUES } from "./venues.ts";

test("every picture of a demo venue is there in each form, and described", () => {
  for (const { venue } of DEMO_VENUES) {
    expect(venue.photo_urls.length, venue.name).toBeGreaterThanOrEqual(3);
    expect(venue.photo_alts.length).toBe(venue.photo_urls.length);
    for (const url of venue.photo_urls) {
      for (const file of sizesOf(url)) expect(existsSync(file), file).toBe(true);
    }
  }
});

function sizesOf(url: string): string[] {
  const base = path.join(projectRoot, "public", url.replace(/-800\.webp$/, ""));
  return PHOTO_FORMS.map(({ width, format }) => `${base}-${width}.${format}`);
}
