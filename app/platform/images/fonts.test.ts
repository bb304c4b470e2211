import { readFileSync } from "node:fs";
import path from "node:path";
import satori from "satori";
import { describe, expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";
import { isLong } from "#test/long.ts";
import { drawableText, readOnce } from "./fonts.server.ts";

describe("characters", () => {
  test.each([
    ["Åsa Öhmän", "Åsa Öhmän"],
    ["Łukasz Żółć", "Łukasz Żółć"],
    ["Nguyễn Thị Hường", "Nguyễn Thị Hường"],
    ["O’Brien-Smith", "O’Brien-Smith"],
    ["<b>Ada</b> & {x}", "<b>Ada</b> & {x}"],
    ["Cafe\u0301", "Café"],
    ["Kr\u1e0d\u1e5ba", "Krdra"],
    ["Ada 😀👩‍👩‍👧🇫🇮 Byron", "Ada Byron"],
    ["\u202eAda\u200b\u0000", "Ada"],
    ["\ud800Ada", "Ada"],
    ["  Ada \n\t Byron ", "Ada Byron"],
    ["Иван Щербаков", "Иван Щербаков"],
    ["Юлія Їжакевич-Ґалаґан", "Юлія Їжакевич-Ґалаґан"],
    ["Қуаныш Әбілқасымұлы", "Қуаныш Әбілқасымұлы"],
    ["Γιώργος Παπαδόπουλος", "Γιώργος Παπαδόπουλος"],
    ["Ἀχιλλεύς", "Ἀχιλλεύς"],
    // In capitals it is a character with two marks, which no font of ours has.
    ["\u0390σως", "ισως"],
    ["Иван 李", "Иван 李"],
    ["محمد عبد الرحمن", "محمد عبد الرحمن"],
    ["یاسمین پژمان", "یاسمین پژمان"],
    ["דָּוִד כהן", "דָּוִד כהן"],
    ["क्षितिज श्रीवास्तव", "क्षितिज श्रीवास्तव"],
    ["น้ำผึ้ง จันทร์", "น้ำผึ้ง จันทร์"],
    ["李小龙 陳美玲", "李小龙 陳美玲"],
    ["佐藤 さくら 辻 髙橋", "佐藤 さくら 辻 髙橋"],
    ["ヴィクトリア", "ヴィクトリア"],
    ["김민준", "김민준"],
    ["নুসরাত জাহান", "নুসরাত জাহান"],
    ["கார்த்திக்", "கார்த்திக்"],
    ["ನಾಗರಾಜ", ""],
    ["", ""],
  ])("%j becomes %j", async (text, expected) => {
    expect(await drawableText(text)).toBe(expected);
  });
});

test("what could not be read is read again, and what was read is kept", async () => {
  let reads = 0;
  const read = readOnce(async () => {
    reads += 1;
    if (reads === 1) throw new Error("too many open files");
    return "a font";
  });
  await expect(read()).rejects.toThrow("too many open files");
  expect([await read(), await read(), reads]).toEqual(["a font", "a font", 2]);
});

const FOLDER = path.join(projectRoot, "app", "platform", "fonts", "scripts");
const RANGES = Object.entries<string>(
  JSON.parse(readFileSync(path.join(FOLDER, "ranges.json"), "utf8")),
);
const IN_PARTS = /-\d+$/;
// LONG=1 reads every part of the scripts of East Asia, else some of them.
const READ = RANGES.filter(([name], n) => isLong || n % 16 === 0 || !IN_PARTS.test(name));

test("a font has the characters that it is listed for", async () => {
  const lacking: string[] = [];
  for (const [name, ranges] of READ) {
    const data = readFileSync(path.join(FOLDER, `${name}.woff2`));
    const fonts = [{ name, weight: 700 as const, style: "normal" as const, data }];
    const loadAdditionalAsset = async (_: string, text: string) => {
      lacking.push(`${name}: ${[...text].map((c) => c.codePointAt(0)!.toString(16)).join(",")}`);
      return [];
    };
    const element = {
      type: "div",
      props: { style: { display: "flex" }, children: charsOf(ranges) },
    };
    await satori(element as never, { width: 9_000, height: 100, fonts, loadAdditionalAsset });
  }
  expect(lacking).toEqual([]);
}, 120_000);

function charsOf(ranges: string): string {
  return ranges
    .split(",")
    .flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map((hex) => parseInt(hex, 16));
      return Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n));
    })
    .join("");
}
