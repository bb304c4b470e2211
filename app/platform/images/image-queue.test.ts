import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { openFiles } from "#app/platform/files.server.ts";
import { useDatabase } from "#test/db.ts";
import { stripes } from "#test/pictures.ts";
import { aVenue } from "#test/fixtures.ts";
import { addPhotos } from "#app/features/venues/photos.server.ts";
import { pingDatabase } from "#app/platform/db.server.ts";
import { workOnPicture } from "./uploaded-images.server.ts";
import { deletePictures, renderPicture } from "./drawn-pictures.server.ts";

const database = useDatabase();

const requester = (client: string) => ({ client, account: client });

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
  const crowd = Array.from({ length: 40 }, (_, n) =>
    workOnPicture(requester(`who ${n % 4}`), work),
  );
  const results = await Promise.all(crowd);
  expect([most, done]).toEqual([1, 17]);
  expect(results.filter((result) => result === "busy")).toHaveLength(23);
  await expect(
    workOnPicture(requester("who"), () => Promise.reject(new Error("broken"))),
  ).rejects.toThrow("broken");
  expect(await workOnPicture(requester("who"), work)).toBe(18);
});

test("a card is not drawn while a venue's photo is worked on", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-image-queue-"));
  const venueId = await aVenue(database.db);
  const bytes = await stripes(64, 36).png().toBuffer();
  const steps: string[] = [];
  const draw = async () => {
    steps.push("drawn");
    return "Ada";
  };
  let card: ReturnType<typeof renderPicture> | undefined;
  const read = async () => {
    card = renderPicture(dataDir, { width: 40, height: 40, facts: "card", owner: "ada", draw });
    // Far more than the card needs to reach its drawing, where nothing holds it.
    for (let n = 0; n < 40; n += 1) await pingDatabase(database.db);
    steps.push("read");
    return bytes;
  };
  const sent = [{ name: "hall.png", size: bytes.length, read }];
  const added = await addPhotos(
    { db: database.db, files: openFiles({ dataDir, bucket: null }) },
    { venueId, sent, actor: "an-admin" },
  );
  expect([added, await card]).toMatchObject([{ ok: true, added: 1 }, expect.any(Buffer)]);
  // The card is still being kept: waits for that.
  await deletePictures(dataDir, "ada");
  rmSync(dataDir, { recursive: true });
  expect(steps).toEqual(["read", "drawn"]);
});
