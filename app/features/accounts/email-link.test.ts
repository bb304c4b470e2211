import { expect, test } from "vitest";
import { emailLink } from "./email-link.ts";

test("a link of an email leads to signing in, which knows the page and that it is from an email", () => {
  const url = new URL(emailLink({ appUrl: "https://kick.example" }, "/events/1?from=a&b=ä#chat"));
  expect(url.origin + url.pathname).toBe("https://kick.example/auth");
  expect([...url.searchParams]).toEqual([
    ["from", "email"],
    ["redirectTo", "/events/1?from=a&b=ä#chat"],
  ]);
});
