import { z } from "zod";
import { plain, text } from "#app/platform/fields.ts";
import { isCommonPassword, SHORTEST } from "./passwords.server.ts";
import { addressOf, isEmail } from "./rules.ts";

export const email = plain
  .transform(addressOf)
  .pipe(
    z
      .string()
      .min(1, { error: "Email is required", abort: true })
      .max(255, { error: "Email is too long", abort: true })
      .refine(isEmail, "Please enter a valid email address"),
  );

const STRONG = [/\p{Ll}/u, /\p{Lu}/u, /\d/];

export const COMMON_PASSWORD = "This password is too common. Please choose another one";

/** Stored without the space that was pasted around it, so that it can be typed. */
const chosenPassword = text.transform((typed) => typed.trim());

export const newPassword = chosenPassword.pipe(
  z
    .string()
    .min(SHORTEST, { error: "Password must be at least 8 characters", abort: true })
    .max(128, { error: "Password is too long", abort: true })
    .refine((password) => STRONG.every((needed) => needed.test(password)), {
      error:
        "Password must contain at least one uppercase letter, one lowercase letter and one number",
      abort: true,
    })
    .refine((password) => !isCommonPassword(password), COMMON_PASSWORD),
);

const typedPassword = text.pipe(
  z.string().min(1, "Password is required").max(128, "Password is too long"),
);

export const signInInput = z.object({ email, password: typedPassword });

export const addressInput = z.object({ email });
export const resetInput = z.object({ token: text, password: newPassword });

export const changePasswordInput = z
  .object({
    currentPassword: text.pipe(z.string().min(1, "Current password is required")),
    newPassword: chosenPassword,
    confirmPassword: chosenPassword,
  })
  .superRefine((fields, { addIssue }) => {
    const complain = (path: keyof typeof fields, message: string) =>
      addIssue({ code: "custom", path: [path], message });
    if (fields.newPassword !== fields.confirmPassword) {
      return complain("confirmPassword", "New passwords do not match");
    }
    if (fields.newPassword.length < 6) {
      return complain("newPassword", "Password must be at least 6 characters long");
    }
    const message = newPassword.safeParse(fields.newPassword).error?.issues[0]?.message;
    if (message) complain("newPassword", message);
  });

export const passwordInput = z.object({ password: typedPassword });
