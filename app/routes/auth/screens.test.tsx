import { describe, expect, test } from "vitest";
import { buttonsOf, headingsOf, linksOf, renderPage, textOf } from "#test/screen.tsx";
import type { AuthResult } from "./actions.server.ts";
import Auth from "./auth.tsx";
import Forgot from "./forgot.tsx";
import Reset from "./reset.tsx";

const loaderData = {
  ...{ universityName: "Test University", redirectTo: null, invitation: null, tab: "sign-in" },
  emailHint: "Your school address, which ends in uni.example.",
};
const render = (actionData?: AuthResult) => renderPage(Auth, { loaderData, actionData });

/** Each form of the page by what it is for. */
function formsOf(html: string): Record<string, string> {
  const forms = [...html.matchAll(/<form\b.*?<\/form>/gs)].map(([form]) => form);
  return Object.fromEntries(forms.map((form) => [/value="(sign-\w+)"/.exec(form)?.[1], form]));
}
const labelsOf = (form: string) =>
  [...form.matchAll(/<label[^>]*>(.*?)<\/label>/g)].map(([, label]) => label);
const inputOf = (form: string, name: string) =>
  [...form.matchAll(/<(?:input|select)\b[^>]*>/g)].find(([tag]) => tag.includes(`name="${name}"`));

// spec: 1.1, 2.20, 2.31, 2.32, 2.33
test("two tabs, for whom it is open, a way back and the terms", () => {
  const html = render();
  const tabs = [...html.matchAll(/<a[^>]* role="tab"[^>]*>([^<]*)<\/a>/g)].map(([, tab]) => tab);
  expect(tabs).toEqual(["Sign In", "Sign up"]);
  expect(textOf(html)).toContain("currently open to students of Test University");
  expect(linksOf(html)).toContain("Back → /");
  expect(linksOf(html)).toContain("Terms & Conditions → /terms");
});

test("a phone, which has no footer, finds the contact, the legal pages and accessibility", () => {
  const links = linksOf(render());
  for (const link of ["Terms → /terms", "Privacy → /privacy", "Accessibility → /accessibility"]) {
    expect(links).toContain(link);
  }
  expect(links).toContain("Contact → mailto:hello@kickabout.test");
});

describe("the form to sign in", () => {
  // spec: 2.35, 2.37
  test("asks for email and password", () => {
    const form = formsOf(render())["sign-in"]!;
    expect(labelsOf(form)).toEqual(["email", "password"]);
    expect(inputOf(form, "email")?.[0]).toContain('type="email"');
    expect(inputOf(form, "password")?.[0]).toContain('type="password"');
    expect(buttonsOf(form)).toEqual(["Sign In"]);
  });
});

describe("the form to sign up", () => {
  const form = formsOf(render())["sign-up"]!;
  // spec: 2.38, 2.39, 2.42, 5.12
  test("has its fields in their order, all but the phone required", () => {
    expect(labelsOf(form)).toEqual([
      "email (school) *",
      "password *",
      "First Name *",
      "Last Name *",
      "Date of Birth *",
      "Year of Study *",
      "Major *",
      "Phone Number (Optional)",
    ]);
    for (const name of ["email", "password", "firstName", "lastName", "dateOfBirth"]) {
      expect(inputOf(form, name)?.[0], name).toContain(" required");
    }
    for (const name of ["schoolYear", "major"]) {
      expect(inputOf(form, name)?.[0], name).toContain(" required");
    }
    expect(inputOf(form, "phone")?.[0]).not.toContain("required");
    expect(buttonsOf(form)).toEqual(["Sign up"]);
  });

  // spec: 2.40, 2.41
  test("offers a fixed list of years, and free text for the major", () => {
    const options = [...form.matchAll(/<option[^>]*>([^<]*)</g)].map(([, option]) => option);
    expect(options.slice(1)).toEqual(["Bachelor", "Master", "Doctoral", "Exchange"]);
    expect(inputOf(form, "major")?.[0]).toMatch(/^<input type="text"/);
  });

  // spec: 2.43
  test("says that signing up agrees to the terms", () => {
    expect(textOf(form)).toContain(
      "By signing up you agree to our |Terms & Conditions| and have read the |Privacy Policy|.",
    );
    expect(linksOf(form)).toEqual(["Terms & Conditions → /terms", "Privacy Policy → /privacy"]);
  });

  test("says which addresses are school addresses, beside the message that rejects one too", () => {
    const fieldErrors = { email: "Please use your school email address." };
    for (const html of [form, formsOf(render({ form: "sign-up", fieldErrors }))["sign-up"]!]) {
      expect(html).toMatch(/id="sign-up-email-hint"[^>]*>Your school address, which ends in uni/);
      expect(inputOf(html, "email")?.[0]).toContain('aria-describedby="sign-up-email-hint');
    }
  });
});

// spec: 2.45, 8.6
test.each([
  ["sign-in", "Wrong email or password.", "Sign In"],
  ["sign-up", "This email is already registered.", "Sign up"],
] as const)("why it failed is in a red box above the button: %s", (form, why, button) => {
  const posted = formsOf(render({ form, formError: why }))[form]!;
  const [before, after] = posted.split('<button type="submit"');
  expect(before).toMatch(new RegExp(`role="alert"[^>]*class="[^"]*danger[^"]*".*${why}`, "s"));
  expect(after).toContain(button);
});

describe("an email that was asked for", () => {
  const notice = { title: "Check your email", description: "We sent you a confirmation link." };
  const values = { email: "ada@uni.example" };

  // spec: 8.1
  test.each([
    ["/auth after signing up", Auth, "sign-up", "/auth?tab=sign-up"],
    ["/auth after asking again", Auth, "resend", "/auth?tab=sign-up"],
    ["/auth/forgot", Forgot, "forgot", "/auth/forgot"],
  ] as const)("takes the form's place: %s", (_, page, form, other) => {
    const html = renderPage(page, { loaderData, actionData: { form, notice, values } });
    expect(headingsOf(html, 1)).toEqual(["Check your email"]);
    expect(textOf(html)).toContain("|We sent you a confirmation link.|");
    expect(textOf(html)).toContain("|ada@uni.example|");
    expect(buttonsOf(html)).toEqual(["Send again"]);
    expect(html).toContain('<input type="hidden" name="email" value="ada@uni.example"/>');
    expect(html).not.toMatch(/<input[^>]* type="(email|password)"/);
    expect(linksOf(html)).toContain("Sign In → /auth");
    expect(linksOf(html)).toContain(`Use another address → ${other}`);
  });

  test("that was asked for too often says so and keeps the address", () => {
    const formError = "Try again in 20 seconds.";
    const html = render({ form: "resend", title: "Nothing was sent", formError, values });
    expect(textOf(html)).toContain("|Nothing was sent|Try again in 20 seconds.|");
    expect(inputOf(html, "email")?.[0]).toContain('value="ada@uni.example"');
    expect(buttonsOf(html)).toEqual(["Send the link again"]);
  });

  test("for what is no address names the mistake beside the field", () => {
    const fieldErrors = { email: "Email is required" };
    const html = render({ form: "resend", fieldErrors, values: { email: "" } });
    expect(inputOf(html, "email")?.[0]).toMatch(/id="email"/);
    expect(html).toMatch(/href="#email"[^>]*>Email is required</);
    expect(buttonsOf(html)).toEqual(["Send the link again"]);
  });
});

test("a link to a new password that is used up meanwhile says so in place of the form", () => {
  const loaderData = { token: "token", email: "ada@uni.example" };
  const html = renderPage(Reset, { loaderData, actionData: { isOver: true } });
  expect(headingsOf(html, 1)).toEqual(["This link does not work any more"]);
  expect(linksOf(html)).toContain("Send a new link → /auth/forgot");
});
