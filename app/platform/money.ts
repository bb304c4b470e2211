// Integer cents in code, numeric(12,2) as text in the database. 1 credit = 1 euro = 100 cents.

/** Throws on anything but a numeric(12,2) as PostgreSQL prints it. */
export function centsFromNumeric(text: string): number {
  const match = /^(-?)(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) throw new Error(`not an amount: ${text}`);
  const cents = Number(match[2]) * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  return match[1] && cents ? -cents : cents;
}

/** Throws on a fraction of a cent. */
export function numericFromCents(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new Error(`not a whole number of cents: ${cents}`);
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Balances display as whole credits, rounded down (specification, section 9). */
export function wholeCredits(cents: number): string {
  return String(Math.floor(cents / 100));
}

/** Credits with cents only where there are any: "10", "9.01". */
export function creditsText(cents: number): string {
  return numericFromCents(cents).replace(/\.00$/, "");
}

export function creditsCount(cents: number): string {
  return `${creditsText(cents)} ${cents === 100 ? "credit" : "credits"}`;
}

export function wholeCreditsCount(cents: number): string {
  return creditsCount(Math.floor(cents / 100) * 100);
}

export const EURO = "\u00a0€";

/** "10 credits (10.00 €)", for who has no credits yet: what they are worth. Where packs are offered
 * it is left out, since a pack has its own price. */
export function creditsInEuros(cents: number): string {
  return `${creditsCount(cents)} (${euros(cents)})`;
}

const GROUPED = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2 });

/** "1,234.50 €": the only way in which our own texts write euros. */
export function euros(cents: number): string {
  return GROUPED.format(Number(numericFromCents(cents))) + EURO;
}

/** "9.99 €", "1,000 JPY": Stripe counts in a currency's smallest unit, which is not always a cent. */
export function moneyText({ amountCents, currency }: Money): string {
  const code = currency.toUpperCase();
  if (code === "EUR") return euros(amountCents);
  const digits = /^[A-Z]{3}$/.test(code) ? fractionDigits(code) : 2;
  const amount = amountCents / 10 ** digits;
  const whole = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${new Intl.NumberFormat("en", whole).format(amount)} ${code}`.trim();
}

export interface Money {
  amountCents: number;
  /** As Stripe has it: "eur". */
  currency: string;
}

function fractionDigits(currency: string): number {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
