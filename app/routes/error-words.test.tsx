import { expect, test } from "vitest";
import { buttonsOf, headingsOf, renderPage, textOf } from "#test/screen.tsx";
import { ErrorScreen } from "./error-screens.tsx";
import { OUTCOME_UNKNOWN, OUTCOME_UNKNOWN_ONCE } from "#app/forms/messages.ts";

const render = (error: unknown) => renderPage(ErrorScreen, { error });
const busy = { status: 503, statusText: "Busy", internal: false, data: "SELECT secret" };

// spec: 2.16, 8.43
test("it says that something went wrong, and offers to try again or to refresh", () => {
  const html = render(new Error("boom"));
  expect(headingsOf(html, 1)).toEqual(["Something went wrong"]);
  expect(textOf(html)).toContain(
    "|We're sorry, but something unexpected happened. Please try refreshing the page.|",
  );
  expect(buttonsOf(html)).toEqual(["Try Again", "Refresh Page"]);
});

// spec: 2.17
test("its details are closed until they are wanted, and hold what the server chose to say", () => {
  const html = render(busy);
  expect(html).toMatch(/<details(?![^>]* open)[^>]*><summary/);
  expect(textOf(html)).toContain("503 Busy");
  expect(html).not.toContain("SELECT");
});

test.each([
  [busy.data, OUTCOME_UNKNOWN],
  [OUTCOME_UNKNOWN, OUTCOME_UNKNOWN],
  [OUTCOME_UNKNOWN_ONCE, OUTCOME_UNKNOWN_ONCE],
])("where the outcome of a form is unknown it claims no failure %#", (data, words) => {
  const { title, description } = words;
  const html = render({ ...busy, statusText: title, data });
  expect(headingsOf(html, 1)).toEqual(["We could not check whether that worked"]);
  expect(textOf(html)).toContain(`|${description}|`);
  expect(textOf(html)).not.toContain("Something went wrong");
  expect(buttonsOf(html)).toEqual(["Try Again", "Refresh Page"]);
});
