import { z } from "zod";
import { readDate, readTime } from "./clock.ts";
import { centsFromNumeric } from "./money.ts";
import { manyLines, nameText, oneLine, plainText } from "./text.ts";
import { completeAddress, webAddress } from "./web-address.ts";

/** A field as it was sent; a file, a repeated or a missing field counts as empty. */
export const text = z.preprocess((value) => (typeof value === "string" ? value : ""), z.string());

export const line = text.transform(oneLine);
export const lines = text.transform(manyLines);
export const name = text.transform(nameText);
export const plain = text.transform(plainText);
/** Unticked boxes send nothing. */
export const ticked = text.transform((value) => value !== "");

export function filled(label: string, max: number) {
  return z
    .string()
    .min(1, { error: `${label} is required`, abort: true })
    .max(max, `${label} is too long (max ${max} characters)`);
}

/** Counts code points, as PostgreSQL does. */
export function atMost(label: string, max: number, message?: string) {
  return z.refine<string>(
    (typed) => [...typed].length <= max,
    message ?? `${label} can be at most ${max.toLocaleString("en-GB")} characters`,
  );
}

export const requiredLine = (label: string, max: number, from: z.ZodType<string> = line) =>
  from.pipe(z.string().min(1, `${label} is required`).check(atMost(label, max)));

/** A web address, completed; null where none is given. `message` where it is none. */
export const link = (isShort: ReturnType<typeof atMost>, message: string) =>
  line
    .transform(completeAddress)
    .pipe(z.string().check(isShort))
    .refine((address) => address === "" || webAddress(address) !== null, message)
    .transform((address) => address || null);

/** Euros or credits in cents: "10", "7,50", "10 €", "1,234.50", as people write them. */
export function amount(message: string, { least = 1, most }: { least?: number; most: number }) {
  return plain
    .transform((typed) => typed.replace(/^(€|EUR) ?| ?(€|EUR|credits?)$/gi, "").replaceAll(" ", ""))
    .transform((typed) => (/^\d{1,3}(,\d{3})+\.\d/.test(typed) ? typed.replaceAll(",", "") : typed))
    .transform((typed) => typed.replace(",", "."))
    .pipe(z.string().regex(/^\d{1,9}(\.\d{1,2})?$/, { error: message, abort: true }))
    .transform(centsFromNumeric)
    .pipe(z.number().min(least, message).max(most, message));
}

export function whole(label: string, least: number, most: number) {
  const message = `${label} must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,4}$/, message)
    .transform(Number)
    .pipe(z.number().min(least, message).max(most, message));
}

/** "YYYY-MM-DD", also from "31.1.2000" and "31/1/2000"; anything else stays as typed. */
export const date = plain.transform((typed) => readDate(typed) ?? typed);

/** "HH:MM", also from "18.00" and "18:00:00"; anything else stays as typed. */
export const time = plain.transform((typed) => readTime(typed) ?? typed);
