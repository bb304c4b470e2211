import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createElement } from "react";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFiles } from "#app/platform/files.server.ts";
import { drawSvg } from "#app/platform/images/fonts.server.ts";
import { renderPicture } from "#app/platform/images/drawn-pictures.server.ts";
import { cardPicture } from "./card-picture.server.tsx";
import { nameLineHeight, toCardView } from "#app/features/players/card-view.ts";
import { isLong } from "#test/long.ts";

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-cards-"));
});
afterAll(() => rmSync(dataDir, { recursive: true }));

const LETTERS = [
  ..."AÅÄÖØÆÐÞŁŻŠČŐŰĞİẞéñçàæœøłđħŧŋ'’-ЖЯΩΔאשبمกขあ漢字한国ʻḍṃ",
  ...'😀⚽️👩‍👩‍👧🇫🇮<>&"{}\\/\u200f\u202e\u0301\u0000\ud800',
];
const ODD = [
  ["X".repeat(50), "W".repeat(50)],
  ["i", "i"],
  ["<script>alert(1)</script>", "</svg><image href='file:///etc/passwd'/>"],
  ["😀", "👩‍👩‍👧"],
  ["محمد", "عبد الرحمن"],
  ["\u202eAda", "\u0000"],
  ["Anne Marie Charlotte Elisabeth", "von und zu Hohenlohe-Schillingsfürst"],
  ["{{name}}", "${name}"],
];

/** Names in all sorts of scripts, always the same ones. */
function someNames(count: number): string[][] {
  let state = 7;
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const name = () => Array.from({ length: 1 + next(24) }, () => LETTERS[next(LETTERS.length)]!);
  return Array.from({ length: count }, () => [name().join(""), name().join("")]);
}

const people = isLong
  ? [...ODD, ...someNames(300)]
  : [...ODD.filter((_, index) => index % 2 === 0), ...someNames(1)];

test(`${people.length} names of all scripts: each a whole picture of its own`, async () => {
  const seen = new Map<string, string>();
  for (const [index, [firstName = "", lastName = ""]] of people.entries()) {
    const view = toCardView({
      firstName,
      lastName,
      position: index % 2 ? "GK" : null,
      nationality: "Finland",
      nationalityCode: ["FI", null, "XX", "../"][index % 4] ?? null,
      profilePictureUrl: index % 3 ? null : "https://elsewhere.example/face.png",
      gamesPlayed: index * 37,
      wins: null,
      goals: null,
      thisMonth: index,
      weeksInARow: index,
    });
    const card = { view, brandName: "Kickabout", files: openFiles({ dataDir, bucket: null }) };
    const picture = cardPicture(card, index % 2 ? "card" : "social-card");
    const png = await renderPicture(dataDir, picture);
    const { width, height } = await sharp(png!).metadata();
    expect([width, height]).toEqual(index % 2 ? [1080, 1350] : [1200, 630]);
    const { channels } = await sharp(png!).stats();
    expect(channels[0]!.stdev, `${firstName} ${lastName}`).toBeGreaterThan(10);
    const key = png!.toString("base64");
    expect(seen.get(key)).toBeUndefined();
    seen.set(key, firstName);
  }
}, 1_200_000);

function aPicture(firstName: string, lastName = "Byron", stats = {}) {
  const base = { position: null, nationality: null, nationalityCode: null };
  const counts = { gamesPlayed: 0, wins: null, goals: null, thisMonth: 0, weeksInARow: 0 };
  const card = { ...base, profilePictureUrl: null, ...counts };
  const view = toCardView({ ...card, ...stats, firstName, lastName });
  return cardPicture({ view, brandName: "Kickabout", files: openFiles({ dataDir, bucket: null }) });
}

/** The drawing with all its outlines; in the long form the pixels that they become. */
async function draw(firstName: string): Promise<string> {
  const picture = aPicture(firstName);
  if (isLong) return (await renderPicture(dataDir, picture)).toString("base64");
  return drawSvg(await picture.draw(null), picture.width, picture.height);
}

test.each([{}, { gamesPlayed: 4444, wins: 4444, goals: 8888 }])(
  "the labels of the totals are one line that can be read on a phone (%#)",
  async (stats) => {
    const below = { left: 130, top: 1172, width: 820, height: 94 };
    const drawn = aPicture("Ada", "Byron", stats);
    const picture = sharp(await renderPicture(dataDir, drawn)).extract(below);
    const { data, info } = await picture.greyscale().raw().toBuffer({ resolveWithObject: true });
    const rows = Array.from({ length: info.height }, (_, row) =>
      data.subarray(row * info.width, (row + 1) * info.width).some((grey) => grey > 110),
    );
    const [first, last] = [rows.indexOf(true), rows.lastIndexOf(true)];
    // Type of 12 pixels, where the card is as wide as a small phone.
    expect(last - first + 1).toBeGreaterThanOrEqual(22);
    expect(rows.slice(first, last + 1)).not.toContain(false);
    expect(last).toBeLessThan(info.height - 30);
  },
);

test("markup in a name is drawn as text", async () => {
  expect(await draw("<b>Ada</b>")).not.toBe(await draw("Ada"));
});

test("what the font lacks leaves no boxes behind", async () => {
  expect(await draw("Ada 😀")).toBe(await draw("Ada"));
  expect(await draw("ನಾಗರಾಜ")).toBe(await draw("😀"));
}, 300_000);

// Names whose marks reach furthest, the first above the last.
const STACKED = [
  ["विनीत", "सिंह"],
  ["श्रीकृष्ण", "क्षत्रिय"],
  ["हृषीकेश टूर्नी", "र्ट्टू ठ्ठू"],
  ["தமிழ்", "கோவிந்த்"],
  ["கிருஷ்ணமூர்த்தி", "ஸ்ரீனிவாசன்"],
  ["কৃষ্ণেন্দু", "চৌধুরী"],
  ["රු ක්‍රීඩූ", "ශ්‍රී වික්‍රමසිංහ"],
  ["ณัฐวุฒิ ญูฐู", "กู้เกียรติ ปิ่น"],
  ["إبراهيم علي", "مُحَمَّد عبد اللّٰه"],
  ["יִשְׂרָאֵל ךָ", "כֹּהֵן"],
  ["Ngọc Ộ", "Nguyễn Ấu"],
  ["Ģirts Şç", "Åñé"],
  ["Цветана Щ", "Йёжик"],
  ["Åsa", "Öhman"],
  ["Ann", "Smith"],
] as const;

test.each(STACKED)("the lines of %s %s do not run into each other", async (first, last) => {
  const lineHeight = nameLineHeight(first + last);
  const rows = async (firstColor: string, lastColor: string) => {
    const line = (text: string, fontSize: number, color: string, fontWeight: number) =>
      createElement("div", { style: { display: "block", fontSize, color, fontWeight } }, text);
    const style = { display: "flex", flexDirection: "column", width: 2000, lineHeight, top: 100 };
    const lines = [line(first, 52, firstColor, 500), line(last, 100, lastColor, 800)];
    const capitals = { ...style, textTransform: "uppercase", position: "absolute" } as const;
    const svg = await drawSvg(createElement("div", { style: capitals }, ...lines), 2000, 500);
    const whole = sharp(Buffer.from(svg)).flatten({ background: "#fff" }).raw();
    const { data, info: raw } = await whole.toBuffer({ resolveWithObject: true });
    const drawn = sharp(data, { raw }).trim({ threshold: 20 });
    const { info } = await drawn.toBuffer({ resolveWithObject: true });
    return [-info.trimOffsetTop!, info.height - info.trimOffsetTop!] as const;
  };
  const [, bottom] = await rows("#000", "#fff");
  const [top] = await rows("#fff", "#000");
  expect(bottom).toBeLessThanOrEqual(top);
});

test("names in many scripts are drawn as they are", async () => {
  const names = ["Ada", "Ådá", "Đặng", "Ада", "Ада́м", "Їжак", "Қуаныш", "Άννα", "Ἄννα", "李"];
  names.push("محمد", "פרץ", "श्री", "น้ำ", "さくら", "김민준");
  const drawings: string[] = [];
  // One after another: of many at once some are sent away as one too many.
  for (const name of names) drawings.push(await draw(name));
  // A Greek name has the same capitals with and without accent.
  expect(new Set(drawings).size).toBe(names.length - 1);
  expect(drawings[7]).toBe(drawings[8]);
}, 300_000);
