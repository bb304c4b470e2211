import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** A Finnish 040… or an international number in one form, "+358 40 1234567"; others as typed. */
export function phoneText(typed: string): string {
  // Without 0 or +, as "12345", a number is of no known country.
  if (!/^[(+0]/.test(typed)) return typed;
  const number = parsePhoneNumberFromString(typed, { defaultCountry: "FI", extract: false });
  return number?.isValid() && !number.ext ? number.formatInternational() : typed;
}
