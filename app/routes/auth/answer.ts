/** What an account form answers when it does not lead elsewhere. */
export interface Answer {
  /** Which of the forms of the page it was. */
  form: "sign-in" | "code" | "sign-up" | "resend" | "confirm" | "forgot" | "reset";
  /** It worked: the page says this in place of the form, and a toast says it too. */
  notice?: { title: string; description: string };
  /** Why it failed: in the red box above the button, and in a toast. */
  failure?: string;
  /** What is wrong with which field. */
  errors?: Record<string, string>;
  /** What was typed, without passwords. */
  values?: Record<string, string>;
  /** The address that waits for its confirmation, to send the link again. */
  unconfirmed?: string;
  /** Which of its sign-ups that is. */
  signUpId?: string;
}

/** The title of the toast for a form that is refused, whatever the reason. */
export const REFUSED: Record<Answer["form"], string> = {
  "sign-in": "Sign in failed",
  code: "Sign in failed",
  "sign-up": "Sign up failed",
  resend: "Nothing was sent",
  confirm: "Nothing was confirmed",
  forgot: "Nothing was sent",
  reset: "Nothing was changed",
};
