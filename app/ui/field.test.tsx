import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PasswordField, SelectField, TextField } from "./field.tsx";

test("a field names its control, its hint and its error", () => {
  const html = renderToStaticMarkup(
    <TextField id="email" name="email" label="email (school) *" hint="Yours" error="Is missing" />,
  );
  expect(html).toContain('<label for="email"');
  expect(html).toContain('aria-describedby="email-hint email-error"');
  expect(html).toContain('aria-invalid="true"');
  expect(html).toMatch(/<p id="email-error"[^>]*>Is missing</);
});

test("a field without hint and error describes nothing", () => {
  const html = renderToStaticMarkup(<SelectField label="Year of Study *" name="schoolYear" />);
  expect(html).not.toContain("aria-describedby=");
  expect(html).not.toContain("aria-invalid=");
});

test("the password cannot be shown before hydration, and keeps what it is given", () => {
  const html = renderToStaticMarkup(
    <PasswordField label="password *" name="password" autoComplete="new-password" minLength={8} />,
  );
  expect(html).not.toContain("<button");
  expect(html).toContain('autoComplete="new-password"');
  expect(html).toContain('type="password"');
});
