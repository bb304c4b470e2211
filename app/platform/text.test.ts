import { expect, test } from "vitest";
import {
  composed,
  folded,
  isInOneAlphabet,
  manyLines,
  nameText,
  oneLine,
  plainText,
} from "./text.ts";

const INVISIBLE = [
  ...["\u200b", "\u202e", "\u2066\u2069", "\u200d\ufe0f", "\u200e", "\ufeff", "\u00ad", "\u2060"],
  ...["\u3164", "\u1160", "\u2800", "\u034f", "\u{e0020}", "\ud800", "\u{f0000}", " \u3000\u00a0"],
];
// What scripts and emoji need, and what has a direction by itself.
const KEPT = [
  "می\u200cخواهم",
  "क्\u200dष",
  "👩\u200d👩\u200d👧 ❤\ufe0f",
  "שלום",
  "אולם \u200eA\u200f",
  "🏴\u{e0067}\u{e0062}\u{e007f}",
];

type Row = [text: string, one: string, many: string];

test.each<Row>([
  [" Campus\r\n\0Gym\t", "Campus Gym", "Campus\n Gym"],
  ["a\rb\u0007c\u009fd", "a b c d", "a\nb c d"],
  ["a\u0007\u0008b", "a b", "a b"],
  ["one\ttwo", "one two", "one\ttwo"],
  ["Töölö  ⚽", "Töölö  ⚽", "Töölö  ⚽"],
  [" \0 ", "", ""],
  ["a\u2028b", "a b", "a\nb"],
  ...INVISIBLE.map((text) => [text, "", ""] satisfies Row),
  ["\u202eabc", "abc", "abc"],
  ["\u2067abc\u2069 \u202bdef\u202c", "abc def", "abc def"],
  ...KEPT.map((text) => [text, text, text] satisfies Row),
])("%j on one line and on several", (text, one, many) => {
  expect(oneLine(text)).toBe(one);
  expect(manyLines(text)).toBe(many);
});

test("a text is composed, whatever its language", () => {
  const names = ["Nguyễn Thị Ánh", "Ọlọ́runfẹ́mi", "मृत्युञ्जय", "בְּרֵאשִׁית", "မြွှေ", "한글", "👩🏽‍🚀"];
  for (const name of names) expect(composed(name.normalize("NFD"))).toBe(name.normalize("NFC"));
});

test("of endless marks only as many are put in order as a language may have", () => {
  const marks = "\u0345".repeat(100_000) + "\u0334".repeat(100_000);
  expect(composed(`a${marks}b`)).toBe(`a${"\u0345".repeat(30)}b`);
  expect(composed("a" + "\u{1d165}".repeat(31))).toBe("a" + "\u{1d165}".repeat(30));
});

test.each([
  ["Côte d'Ivoire", "cote d'ivoire"],
  [" ÅLAND ", "aland"],
  ["Tu\u0308rkiye", "turkiye"],
])("%j without its marks is %j", (text, plain) => {
  expect(folded(text)).toBe(plain);
});

test.each([
  ["Anna\u00a0Maria ", "Anna Maria"],
  ["Virtanen\u2011Mäki", "Virtanen-Mäki"],
  ["Virta\u00adnen", "Virtanen"],
  ...["O’Neill", "OʼNeill", "O´Neill", "O`Neill", "O′Neill"].map((name) => [name, "O'Neill"]),
  ["Ａｎｎａ", "Anna"],
  ["\u202aAnna\u202c", "Anna"],
  ["ශ්\u200dරී", "ශ්\u200dරී"],
  ["അവന്\u200d", "അവന്\u200d"],
  ["علی\u200cرضا", "علی\u200cرضا"],
  ["葛\u{e0100}城", "葛城"],
  ["Zoë".normalize("NFD"), "Zoë"],
])("the name %j is %j", (typed, name) => {
  expect(nameText(typed)).toBe(name);
});

test.each([
  ...["Mäkelä", "O'Neill-Mäki", "Ọlọ́runfẹ́mi", "Nguyễn", "ʿAlī", "Þór", "Κωνσταντίνος", "Ὀδυσσεύς"],
  ...[
    "Ольга",
    "Ђорђевић",
    "王伟",
    "王 Wei",
    "さくら",
    "高橋メアリー",
    "김 Minsu",
    "علی\u200cرضا",
    "בְּרֵאשִׁית",
  ],
  ...["മാധവൻ", "ใจดี", "Հայկ", "გიორგი", "ᏣᎳᎩ", ""],
])("%j is in one alphabet", (name) => {
  expect(isInOneAlphabet(name)).toBe(true);
});

test.each([
  ...["Οrganiser", "Аino", "Ainο", "Mäкelä", "Ольгa", "Οлег", "Աnna", "Ꭺino", "𝐀ino", "𝐀𝐢𝐧𝐨", "ℓ"],
])("%j mixes letters of several alphabets, or of none", (name) => {
  expect(isInOneAlphabet(name)).toBe(false);
});

test.each([
  ["\u202d040\u00a01234\u2011567\u202c", "040 1234-567"],
  ["０４０\u3000１２３", "040 123"],
  ["ann＠uni.example\u200b", "ann@uni.example"],
  ["ab–cd—ef", "ab-cd-ef"],
  ["o’neill@uni.example", "o'neill@uni.example"],
  ["10\u202f€", "10 €"],
])("the phone, code, amount or address %j is %j", (typed, plain) => {
  expect(plainText(typed)).toBe(plain);
});

test.each([
  ...["Weiß", "WEISS", "weiẞ"].map((text) => [text, "weiss"]),
  ["Þór Æsir", "thor aesir"],
  ["Łukasz Sørensen Đorđević", "lukasz sorensen dordevic"],
  ["ISIL Işıl", "isil isil"],
  ["Trương", "truong"],
  ["ΣΊΣΥΦΟΣ", "σισυφοσ"],
  ["O’Neill", "o'neill"],
  ["می\u200cخواهم", "میخواهم"],
])("%j is compared as %j", (text, compared) => {
  expect(folded(text)).toBe(compared);
});
