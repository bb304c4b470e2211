import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { describe, expect, test } from "vitest";
import { renderPage } from "#test/screen.tsx";
import { profileInput } from "#app/features/players/input.ts";
import { POSITIONS, SPORTS } from "#app/features/players/rules.ts";
import { ChallengeCard, ErrorBoundary } from "./show.tsx";
import { toChallengeView } from "./profile-view.server.ts";
import { EditDialog, PROFILE_FIELDS } from "./edit-dialog.tsx";
import { PictureDialog } from "./picture-dialog.tsx";
import { ErrorBoundary as PublicErrorBoundary } from "./public.tsx";

function render(Component: ComponentType): string {
  const Stub = createRoutesStub([{ path: "/profile", Component }]);
  return renderToStaticMarkup(<Stub initialEntries={["/profile"]} />);
}

const profile = {
  countries: [{ code: "FI", name: "Finland", also: [] }],
  values: {
    ...{ firstName: "Ann", lastName: "Bell", dateOfBirth: "2000-01-31", position: "MID" },
    ...{ nationalityCode: "FI", isDownToPlay: "1", sports: "Futsal", otherSport: "" },
  },
};

// spec: 8.22
test("a profile that cannot be loaded says so, and offers to try again", () => {
  const html = render(ErrorBoundary as ComponentType);
  expect(html).toMatch(/<h1[^>]*>Error<\/h1>/);
  expect(html).toContain("Failed to load profile data");
  expect(html).toMatch(/<a[^>]*href="\/profile"[^>]*>Try Again<\/a>/);
});

// spec: 2.124, 8.41
test("a profile that does not exist says so", () => {
  const error = { status: 404, statusText: "", internal: false, data: null };
  const html = renderPage(PublicErrorBoundary, { error });
  expect(html).toMatch(/<h1[^>]*>Profile Not Found<\/h1>/);
});

describe("the challenge", () => {
  const card = (gamesCompleted: number, isClaimed: boolean) => {
    const challenge = toChallengeView({ month: "2026-11", gamesCompleted, isClaimed });
    return render(() => <ChallengeCard challenge={challenge} result={undefined} />);
  };
  // spec: 2.116, 4.30, 4.31
  test("only what is earned can be claimed", () => {
    expect(card(2, false)).toContain("complete 3 more games");
    expect(card(2, false)).not.toContain("<button");
    expect(card(5, false)).toMatch(/<button[^>]*>Claim 10 Credits!<\/button>/);
    expect(card(5, true)).not.toContain("<button");
    expect(card(5, true)).toContain("Reward claimed");
  });
  test("an error stays on the page", () => {
    const challenge = toChallengeView({ month: "2026-11", gamesCompleted: 2, isClaimed: false });
    const result = { title: "Failed", formError: "Because." };
    const html = render(() => <ChallengeCard challenge={challenge} result={result} />);
    expect(html).toMatch(/role="alert"[^>]*><h2[^>]*>Failed<\/h2>.*Because\./);
  });
});

describe("the dialogs without JavaScript", () => {
  // spec: 3.30, 5.21, 9.22
  test("the profile's: native fields with what is stored", () => {
    const html = render(() => <EditDialog profile={profile} result={undefined} />);
    expect(html).not.toMatch(/<dialog[^>]* open=""/);
    expect(html).toMatch(/<select[^>]*name="nationalityCode"/);
    expect(html).toMatch(/<option value="FI" selected="">Finland/);
    expect(html).toMatch(/<option value="MID" selected="">MID/);
    for (const position of Object.keys(POSITIONS)) expect(html).toContain(`value="${position}"`);
    for (const sport of SPORTS) expect(html).toMatch(new RegExp(`name="sports"[^>]*"${sport}"`));
    expect(html).toMatch(/<button[^>]*form="edit-profile-form"/);
  });
  test("one that failed is open with its errors and what was typed", () => {
    const values = { firstName: "R2D2", sports: "Tennis\nOther" };
    const fieldErrors = { firstName: "First name can only contain letters" };
    const result = { title: "Failed to update", fieldErrors, values };
    const html = render(() => <EditDialog profile={profile} result={result} />);
    expect(html).toMatch(/<dialog[^>]* open=""/);
    expect(html).toMatch(/<input[^>]*name="firstName"[^>]*value="R2D2"/);
    expect(html).toMatch(/href="#firstName"[^>]*>First name can only contain letters</);
    const ticked = [...html.matchAll(/checked=""[^>]*value="([^"]*)"/g)].map(([, value]) => value);
    expect(ticked).toEqual(["Tennis", "Other"]);
  });
  test("every field of the input has one control with a label in the form", () => {
    const html = render(() => <EditDialog profile={profile} result={undefined} />);
    const input = profileInput({ today: "2026-11-22" }).in;
    expect(PROFILE_FIELDS.toSorted()).toEqual(Object.keys(input.shape).toSorted());
    const controls = new Set(
      [...html.matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(([, name]) => name),
    );
    expect([...controls].toSorted()).toEqual([...PROFILE_FIELDS, "intent"].toSorted());
  });
  test("the picture's: a file and nothing else; removal only where there is one", () => {
    const dialog = (hasPicture: boolean) =>
      render(() => <PictureDialog hasPicture={hasPicture} result={undefined} />);
    expect(dialog(false)).toContain('encType="multipart/form-data"');
    expect(dialog(false)).toMatch(/type="file"[^>]*accept="image\/jpeg,image\/png"/);
    expect(dialog(false)).not.toContain("Remove picture");
    expect(dialog(true)).toContain("Remove picture");
  });
  test("a picture that cannot be used is named beside its field", () => {
    const result = { form: "picture", fieldErrors: { picture: "Too large" } };
    const html = render(() => <PictureDialog hasPicture={false} result={result} />);
    expect(html).toMatch(/<input[^>]*aria-invalid="true"/);
    expect(html).toMatch(/<p id="picture-file-error"[^>]*>Too large</);
  });
});
