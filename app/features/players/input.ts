import { z } from "zod";
import { isDate } from "#app/platform/clock.ts";
import { date, name, plain, text, ticked } from "#app/platform/fields.ts";
import { isInOneAlphabet } from "#app/platform/text.ts";
import { email, newPassword } from "#app/features/accounts/input.ts";
import { findCountry } from "./countries.server.ts";
import { phoneText } from "./phone.server.ts";
import {
  interestsOf,
  isName,
  isOfTheSite,
  isSchoolEmail,
  OTHER_SPORT_MAX,
  PHONE_MAX,
  POSITIONS,
  signUpAgeProblem,
  YEARS_OF_STUDY,
} from "./rules.ts";

/** `today` is Helsinki's date, "YYYY-MM-DD". */
export function signUpInput({ schoolDomains, today }: { schoolDomains: string[]; today: string }) {
  return z
    .object({
      email: email.refine((address) => isSchoolEmail(address, schoolDomains), {
        error: "Please use your school email address.",
      }),
      password: newPassword,
      firstName: personName("First name"),
      lastName: personName("Last name"),
      dateOfBirth: dateOfBirth(today),
      schoolYear: z.enum(YEARS_OF_STUDY, "Please select your year of study"),
      major: shortText("Major", 100).pipe(z.string().min(1, "Major is required")),
      phone: plain
        .transform(phoneText)
        .pipe(withoutMarkup("Phone number", PHONE_MAX))
        .pipe(
          z.string().regex(/^[\d +()./-]*$/, "Phone number can only contain digits and + - ( )"),
        )
        .transform((phone) => phone || null),
    })
    .superRefine(checkWholeName);
}
export type SignUpInput = z.infer<ReturnType<typeof signUpInput>>;

/** `sports` are the checked ones; `today` is Helsinki's date, "YYYY-MM-DD". */
export function profileInput({ today }: { today: string }) {
  return z
    .object({
      firstName: personName("First name"),
      lastName: personName("Last name"),
      dateOfBirth: dateOfBirth(today),
      position: text
        .transform((key) => key || null)
        .pipe(z.enum(keysOf(POSITIONS), "Please select a position from the list").nullable()),
      nationalityCode: text.refine(
        (code) => code === "" || findCountry(code) !== null,
        "Please select a nationality from the list",
      ),
      isDownToPlay: ticked,
      sports: z.array(z.string()).catch([]),
      otherSport: shortText("Other sport", OTHER_SPORT_MAX),
    })
    .superRefine(checkWholeName)
    .transform(({ nationalityCode, sports, otherSport, ...profile }) => ({
      ...profile,
      nationality: findCountry(nationalityCode),
      sportsInterests: interestsOf(sports, otherSport),
    }));
}
export type ProfileInput = z.infer<ReturnType<typeof profileInput>>;
export type ProfileValues = Record<keyof z.input<ReturnType<typeof profileInput>>, string>;

function personName(label: string) {
  const message = `${label} can only contain letters, spaces, hyphens, and apostrophes`;
  return name.pipe(
    z
      .string()
      .min(1, { error: `${label} is required`, abort: true })
      .max(50, { error: `${label} is too long`, abort: true })
      .refine(isName, { error: message, abort: true })
      .refine((typed) => !isOfTheSite(typed), {
        error: `${label} is a word of this site`,
        abort: true,
      })
      .refine(isInOneAlphabet, {
        error: `${label} mixes letters of several alphabets. Please use one of them`,
        abort: true,
      }),
  );
}

function checkWholeName(
  { firstName, lastName }: { firstName: string; lastName: string },
  context: z.RefinementCtx,
) {
  const whole = `${firstName} ${lastName}`;
  const complain = (message: string) =>
    context.addIssue({ code: "custom", path: ["lastName"], message });
  if (isOfTheSite(whole)) complain("This name is a word of this site");
  if (!isInOneAlphabet(whole)) {
    complain("First and last name are in different alphabets. Please use one for both");
  }
}

function dateOfBirth(today: string) {
  const message = "Please enter a valid date of birth, such as 31.1.2000";
  return date.pipe(
    z
      .string()
      .min(1, { error: "Date of birth is required", abort: true })
      .refine(isDate, { error: message, abort: true })
      .superRefine((born, context) => {
        const message = signUpAgeProblem(born, today);
        if (message) context.addIssue({ code: "custom", message });
      }),
  );
}

function shortText(label: string, max: number) {
  return name.pipe(withoutMarkup(label, max));
}

function withoutMarkup(label: string, max: number) {
  return z
    .string()
    .max(max, { error: `${label} is too long`, abort: true })
    .regex(/^[^\p{Cc}<>]*$/u, `${label} cannot contain control characters, < or >`);
}

function keysOf<K extends string>(names: Record<K, string>): K[] {
  return Object.keys(names) as K[];
}
