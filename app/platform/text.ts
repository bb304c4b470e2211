/** NFC; cuts after 30 marks (UAX 15, Stream-Safe), since ordering n marks takes n² steps. */
export function composed(text: string): string {
  return text.replace(/\p{M}+/gu, (marks) => [...marks].slice(0, 30).join("")).normalize("NFC");
}

/** Without what nobody sees, but for the joiners and selectors that scripts and emoji need; NFC. */
export function seen(text: string): string {
  return composed(UNSEEN.test(text) ? withoutUnseen(text) : text);
}

/** One line: line breaks and other control characters become spaces. PostgreSQL keeps no NUL. */
export function oneLine(text: string): string {
  return visible(
    seen(text)
      .replace(/\p{Cc}+|\p{Z}/gu, " ")
      .replace(/[\u2010\u2011]/g, "-"),
  );
}

/** Browsers send CRLF; other control characters become spaces. */
export function manyLines(text: string): string {
  const lines = seen(text).replace(/\r\n?|[\u2028\u2029]/g, "\n");
  return visible(lines.replace(/[^\P{Cc}\n\t]+/gu, " "));
}

/** Names: one space, hyphen and apostrophe, whichever look-alike was typed; full-width is narrow. */
export function nameText(text: string): string {
  const narrow = seen(text)
    .replace(/[\uff01-\uff5e]/g, narrowed)
    .replace(SELECTORS, "");
  const plain = withPlainSigns(narrow).replaceAll("`", "'");
  return visible(plain.replace(/[\s\x85]+/g, " "));
}

/** Phones, codes, amounts, dates and email addresses: NFKC, with nothing but plain signs. */
export function plainText(text: string): string {
  const plain = withPlainSigns(text.replace(ALL_UNSEEN, ""));
  return visible(
    composed(plain)
      .normalize("NFKC")
      .replace(/[\s\x85]+/g, " "),
  );
}

/** Trimmed, and empty where nothing of it can be seen. */
export function visible(text: string): string {
  return VISIBLE.test(text) ? text.trim() : "";
}

/** For comparing what people type: ß is ss; no case, accents or joiners. The database has the same
 * function. */
export function folded(text: string): string {
  const split = text.replaceAll("´", "'").normalize("NFKD");
  const bare = split
    .replace(ALL_UNSEEN, "")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  const letters = bare.replace(FOLDED, (letter) => LETTERS[letter] ?? letter);
  return withPlainSigns(letters).replaceAll("`", "'").trim();
}

/** Whether no letter is of an alphabet that imitates another one's: "Οrganiser" begins with a Greek
 * letter (Unicode TR39, decision 052). */
export function isInOneAlphabet(text: string): boolean {
  const letters = text.replace(/[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/gu, "");
  return ALPHABETS.some((alphabet) => alphabet.test(letters));
}

// Chinese, Japanese and Korean names are written beside Latin ones. Letters of formulas are Common.
const ALPHABETS = [
  /^[\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]*$/u,
  /^\p{scx=Greek}*$/u,
  /^\p{scx=Cyrillic}*$/u,
  /^[^\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Common}]*$/u,
];

const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;
const ALL_UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
const SELECTORS = /[\u180b-\u180f\ufe00-\ufe0f\u{e0000}-\u{e0fff}]/gu;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
const APOSTROPHES = /[´‘’‛′ʹʻʼ\uff07]/g;
// Letters and marks may be blank too, and Braille has a blank.
const VISIBLE = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

const narrowed = (wide: string) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0);
const withPlainSigns = (text: string) => text.replace(DASHES, "-").replace(APOSTROPHES, "'");

function withoutUnseen(text: string): string {
  const isLeftwards = LEFTWARDS.test(text);
  return text.replace(ALL_UNSEEN, (run, start: number) => {
    const end = start + run.length;
    let before = [...text.slice(Math.max(start - 2, 0), start)].at(-1) ?? "";
    const [after = ""] = text.slice(end, end + 2);
    const needed = [...run].filter((sign) => {
      const isKept = isNeeded(sign, before, after, isLeftwards);
      if (isKept) before = sign;
      return isKept;
    });
    return needed.join("");
  });
}

function isNeeded(sign: string, before: string, after: string, isLeftwards: boolean): boolean {
  if (DIRECTION.test(sign)) return isLeftwards && !DIRECTION.test(before);
  if (/[\ufe00-\ufe0f\u180b-\u180f\u{e0100}-\u{e01ef}]/u.test(sign)) {
    return SELECTABLE.test(before) || (after === "\u20e3" && /[\d#*]/.test(before));
  }
  // Subdivision flags are spelled in tags.
  if (/[\u{e0020}-\u{e007f}]/u.test(sign)) return /[🏴\u{e0020}-\u{e007e}]/u.test(before);
  if (sign === "\u200d" && /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u.test(before)) {
    return /\p{Extended_Pictographic}/u.test(after);
  }
  // At the end of a word a joiner only follows a mark, such as the Malayalam virama.
  if (!/[\u200b-\u200d]/.test(sign) || !JOINING.test(before)) return false;
  return JOINING.test(after) || (sign !== "\u200b" && /\p{M}/u.test(before));
}

// Left-to-right text needs no marks of direction.
const LEFTWARDS = /[\u05d0-\u05ea\u0620-\u064a\u066e-\u08bd\ufb1d-\ufdfb\ufe70-\ufefc]/;
const DIRECTION = /[\u200e\u200f\u061c]/;
const SELECTABLE = /[\p{Extended_Pictographic}\p{Script=Han}\p{Script=Mongolian}]/u;
// Arabic to N'Ko, the scripts of India and South-East Asia, Mongolian.
const JOINING = /[\u0620-\u07ff\u0840-\u109f\u1780-\u17d3\u1807-\u18aa\u1900-\u1cff\ua840-\uabff]/;

const LETTERS: Record<string, string> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", þ: "th", ø: "o", ł: "l", đ: "d", ð: "d", ı: "i", ħ: "h" },
  ...{ ŧ: "t", ŋ: "n", ĸ: "k", ə: "e", ɓ: "b", ɗ: "d", ƙ: "k", ƴ: "y", ς: "σ" },
};
const FOLDED = /[ßæœþøłđðıħŧŋĸəɓɗƙƴς]/g;
