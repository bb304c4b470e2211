import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { describe, expect, test } from "vitest";
import { POSITIONS, SPORTS } from "#app/features/players/rules.ts";
import { ChallengeCard } from "./challenge-card.tsx";
import { showChallenge } from "./challenge-words.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { PictureDialog } from "./picture-dialog.tsx";
import type { ProfilePage } from "./profile-page.server.ts";
import PublicProfile from "./public.tsx";
import { ErrorBoundary } from "./show.tsx";

function render(Component: ComponentType): string {
  const Stub = createRoutesStub([{ path: "/", Component }]);
  return renderToStaticMarkup(<Stub />);
}

const profile = {
  countries: [{ code: "FI", name: "Finland", also: [] }],
  form: {
    ...{ firstName: "Ann", lastName: "Bell", dateOfBirth: "2000-01-31", position: "MID" },
    ...{ nationalityCode: "FI", isDownToPlay: true, sports: ["Futsal"], otherSport: "" },
  },
} as unknown as ProfilePage;

// spec: 8.22
test("a profile that cannot be loaded says so, and offers to try again", () => {
  const html = render(ErrorBoundary as ComponentType);
  expect(html).toMatch(/<h1[^>]*>Error<\/h1>/);
  expect(html).toContain("Failed to load profile data");
  expect(html).toMatch(/<a href="\/profile"[^>]*>Try Again<\/a>/);
});

// spec: 2.124, 8.41
test("nobody's profile", () => {
  const props = { loaderData: { player: null } } as Parameters<typeof PublicProfile>[0];
  const html = render(() => <PublicProfile {...props} />);
  expect(html).toMatch(/<h1[^>]*>Profile Not Found<\/h1>/);
});

describe("the challenge", () => {
  const card = (gamesCompleted: number, isClaimed: boolean) => {
    const challenge = showChallenge({ month: "2026-11", gamesCompleted, isClaimed });
    return render(() => <ChallengeCard challenge={challenge} answer={undefined} />);
  };
  // spec: 2.116, 4.30, 4.31
  test("only what is earned can be claimed", () => {
    expect(card(2, false)).toContain("complete 3 more games");
    expect(card(2, false)).not.toContain("<button");
    expect(card(5, false)).toMatch(/<button[^>]*>Claim 10 Credits!<\/button>/);
    expect(card(5, true)).not.toContain("<button");
    expect(card(5, true)).toContain("Reward claimed");
  });
  test("a refusal stays on the page", () => {
    const challenge = showChallenge({ month: "2026-11", gamesCompleted: 2, isClaimed: false });
    const answer = { form: "reward" as const, title: "Failed", description: "Because." };
    const html = render(() => <ChallengeCard challenge={challenge} answer={answer} />);
    expect(html).toMatch(/role="alert"[^>]*><p[^>]*>Failed<\/p>Because\./);
  });
});

describe("the dialogs without JavaScript", () => {
  // spec: 3.30, 5.21, 9.22
  test("the profile's: native fields with what is stored", () => {
    const html = render(() => <EditDialog profile={profile} answer={undefined} />);
    expect(html).not.toMatch(/<dialog[^>]* open=""/);
    expect(html).toMatch(/<select[^>]*name="nationalityCode"/);
    expect(html).toMatch(/<option value="FI" selected="">Finland/);
    expect(html).toMatch(/<option value="MID" selected="">MID/);
    for (const position of Object.keys(POSITIONS)) expect(html).toContain(`value="${position}"`);
    for (const sport of SPORTS) expect(html).toMatch(new RegExp(`name="sports"[^>]*"${sport}"`));
    expect(html).toMatch(/<button[^>]*form="edit-profile-form"/);
  });
  test("a refused one stands open with its complaints and what was typed", () => {
    const values = { ...profile.form, firstName: "R2D2" };
    const errors = { firstName: "First name can only contain letters" };
    const answer = { form: "edit" as const, title: "Failed to update", errors, values };
    const html = render(() => <EditDialog profile={profile} answer={answer} />);
    expect(html).toMatch(/<dialog[^>]* open=""/);
    expect(html).toMatch(/<input[^>]*name="firstName"[^>]*value="R2D2"/);
    expect(html).toMatch(/href="#edit-firstName"[^>]*>First name can only contain letters</);
  });
  test("the picture's: a file and nothing else; removal only where there is one", () => {
    const dialog = (url: string | null) =>
      render(() => <PictureDialog profile={{ profilePictureUrl: url }} answer={undefined} />);
    expect(dialog(null)).toContain('encType="multipart/form-data"');
    expect(dialog(null)).toMatch(/type="file"[^>]*accept="image\/jpeg,image\/png"/);
    expect(dialog(null)).not.toContain("Remove picture");
    expect(dialog("/files/avatars/a-512.webp")).toContain("Remove picture");
  });
});
