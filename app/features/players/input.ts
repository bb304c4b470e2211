import { z } from "zod";
import { email, newPassword, text } from "../accounts/input.ts";
import {
  isCalendarDate,
  isName,
  isSchoolEmail,
  signUpAgeProblem,
  YEARS_OF_STUDY,
} from "./rules.ts";

/** What the sign-up form may send. `today` is Helsinki's date, "YYYY-MM-DD". */
export function signUpInput({ schoolDomains, today }: { schoolDomains: string[]; today: string }) {
  return z.object({
    email: email.refine((address) => isSchoolEmail(address, schoolDomains), {
      error: "Please use your school email address.",
    }),
    password: newPassword,
    firstName: personName("First name"),
    lastName: personName("Last name"),
    dateOfBirth: dateOfBirth(today),
    schoolYear: z.enum(YEARS_OF_STUDY, "Please select your year of study"),
    major: plainText("Major", 100).pipe(z.string().min(1, "Major is required")),
    phone: plainText("Phone number", 30)
      .pipe(z.string().regex(/^[\d +()-]*$/, "Phone number can only contain digits and + - ( )"))
      .transform((phone) => phone || null),
  });
}
export type SignUpInput = z.infer<ReturnType<typeof signUpInput>>;

/** A name of a person; `label` begins its messages, such as "First name". */
export function personName(label: string) {
  const letters = `${label} can only contain letters, spaces, hyphens, and apostrophes`;
  return trimmed.pipe(
    z
      .string()
      .min(1, { error: `${label} is required`, abort: true })
      .max(50, { error: `${label} is too long`, abort: true })
      .refine(isName, letters),
  );
}

function dateOfBirth(today: string) {
  return trimmed.pipe(
    z
      .string()
      .min(1, { error: "Date of birth is required", abort: true })
      .refine(isCalendarDate, { error: "Please enter a valid date of birth", abort: true })
      .superRefine((date, context) => {
        const message = signUpAgeProblem(date, today);
        if (message) context.addIssue({ code: "custom", message });
      }),
  );
}

// PostgreSQL refuses a NUL; the others are invisible, or turn the text around them, on every page.
function plainText(label: string, max: number) {
  return trimmed.pipe(
    z
      .string()
      .max(max, { error: `${label} is too long`, abort: true })
      .regex(/^[^\p{Cc}\p{Cf}<>]*$/u, `${label} cannot contain control characters, < or >`),
  );
}

const trimmed = text.transform((value) => value.normalize("NFC").trim());
