import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { stripes } from "#test/pictures.ts";
import { aVenue } from "#test/world.ts";
import { changeLogo } from "#app/features/partners/change-logo.server.ts";
import { createPartner } from "#app/features/partners/create-partner.server.ts";
import { addPhotos } from "#app/features/venues/add-photos.server.ts";
import { workOnPicture } from "./image-queue.server.ts";
import { renderPicture } from "./drawn-pictures.server.ts";

const world = useDatabase();

const turn = (client: string) => ({ client, account: client });

test("one picture is worked on at a time, whatever it is for, and a crowd is turned away", async () => {
  let [running, most, done] = [0, 0, 0];
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    done += 1;
    return done;
  };
  const crowd = Array.from({ length: 40 }, (_, n) => workOnPicture(turn(`who ${n % 4}`), work));
  const results = await Promise.all(crowd);
  expect([most, done]).toEqual([1, 17]);
  expect(results.filter((result) => result === "busy")).toHaveLength(23);
  await expect(
    workOnPicture(turn("who"), () => Promise.reject(new Error("broken"))),
  ).rejects.toThrow("broken");
  expect(await workOnPicture(turn("who"), work)).toBe(18);
});

test("a logo, a venue's photo and a drawn card at once are decoded one after the other", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-image-queue-"));
  const [partnerId, actor] = [crypto.randomUUID(), "an-admin"];
  const input = { name: "Gym", websiteUrl: null, sortOrder: 0 };
  await createPartner(world.db, { partnerId, input, actor });
  const venueId = await aVenue(world.db);
  const bytes = await stripes(800, 450).png().toBuffer();
  let most = 0;
  const watch = () => {
    const { queue, process } = sharp.counters();
    most = Math.max(most, queue + process);
  };
  sharp.queue.on("change", watch);
  const parts = { db: world.db, dataDir };
  const photo = { name: "hall.png", size: bytes.length, read: async () => bytes };
  const card = { width: 400, height: 400, facts: "card", draw: async () => "Ada" };
  const results = await Promise.all([
    changeLogo(parts, { partnerId, bytes, actor }),
    addPhotos(parts, { venueId, sent: [photo], actor }),
    renderPicture(dataDir, card),
  ]);
  sharp.queue.off("change", watch);
  rmSync(dataDir, { recursive: true });
  expect(results).toMatchObject([{ ok: true }, { ok: true, added: 1 }, expect.any(Buffer)]);
  expect(most).toBe(1);
});
