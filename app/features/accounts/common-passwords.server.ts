import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";

/** Of passwords from leaks those that our rule lets through once their case is ignored. */
const LIST = path.join(projectRoot, "app", "features", "accounts", "common-passwords.txt");
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm", "abcdefghijklmnopqrstuvwxyz", "01234567890"];

let list: Set<string> | undefined;

/**
 * Whether a password is one of the first that a guesser tries: it is in the list, or runs along the
 * alphabet, the digits or the keyboard with one break at most (ASVS 5.0, 6.2.4). Case is ignored.
 */
export function isCommonPassword(password: string): boolean {
  const folded = fold(password);
  list ??= new Set(readFileSync(LIST, "utf8").split("\n"));
  return list.has(folded) || breaksOf(folded) <= 1;
}

/**
 * Whether a password is made of a word that anybody knows who sees the account or the site, with
 * nothing but digits and punctuation around it (ASVS 5.0, 6.2.11).
 */
export function isMadeOf(password: string, words: string[]): boolean {
  const letters = lettersOf(password);
  return words.some((word) => lettersOf(word) !== "" && lettersOf(word) === letters);
}

function breaksOf(folded: string): number {
  const signs = [...folded];
  return signs.filter((sign, at) => at > 0 && !isStep(signs[at - 1]!, sign)).length;
}

function isStep(from: string, to: string): boolean {
  return from === to || ROWS.some((row) => row.includes(from + to) || row.includes(to + from));
}

function lettersOf(text: string): string {
  return fold(text).replace(/\P{L}/gu, "");
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
