/** What an account form answers when it does not lead elsewhere. */
export interface Answer {
  /** Which of the forms of the page it was. */
  form: "sign-in" | "sign-up" | "resend" | "forgot" | "reset";
  /** It worked: the page says this in place of the form, and a toast says it too. */
  notice?: { title: string; description: string };
  /** It failed: the red box above the button, and a toast. */
  failure?: { title: string; description: string };
  /** What is wrong with which field. */
  errors?: Record<string, string>;
  /** What was typed, without passwords. */
  values?: Record<string, string>;
  /** The address that waits for its confirmation, to send the link again. */
  unconfirmed?: string;
}
