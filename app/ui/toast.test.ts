import { beforeEach, expect, test, vi } from "vitest";
import { dismissFailures, dismissToast, toast, useToasts } from "./toast.ts";

// Outside a browser the hook would answer as on the server, where nothing is said.
vi.mock("react", () => ({
  useSyncExternalStore: (_subscribe: unknown, current: () => unknown) => current(),
}));

const shown = () => useToasts().map(({ title }) => title);
beforeEach(() => useToasts().forEach(({ id }) => dismissToast(id)));

test("a success replaces the failures before it", () => {
  toast({ title: "Upload failed", tone: "danger" });
  toast({ title: "Link copied" });
  expect(shown()).toEqual(["Link copied"]);
  toast({ title: "Upload failed", tone: "danger" });
  toast({ title: "Note", tone: "info" });
  expect(shown()).toEqual(["Link copied", "Upload failed", "Note"]);
  toast({ title: "Picture updated", tone: "good" });
  expect(shown()).toEqual(["Link copied", "Note", "Picture updated"]);
});

test("a failure with an action stays after a success", () => {
  const action = { label: "Try again", run: () => {} };
  toast({ title: "You are offline.", tone: "danger", action });
  toast({ title: "Link copied" });
  expect(shown()).toEqual(["You are offline.", "Link copied"]);
});

test("a toast with an id is shown once, even after a success replaced it", () => {
  toast({ id: "sent", title: "Failed", tone: "danger" });
  toast({ title: "Saved" });
  toast({ id: "sent", title: "Failed", tone: "danger" });
  expect(shown()).toEqual(["Saved"]);
});

test("the same toast again replaces the first", () => {
  toast({ title: "Error", description: "Too many attempts", tone: "danger" });
  toast({ title: "Error", description: "Something else", tone: "danger" });
  toast({ title: "Error", description: "Too many attempts", tone: "danger" });
  expect(shown()).toEqual(["Error", "Error"]);
});

test("a new page drops failures except those with an action", () => {
  const action = { label: "Try again", run: () => {} };
  toast({ title: "You are offline.", tone: "danger", action });
  toast({ title: "Sign in failed", tone: "danger" });
  toast({ title: "Note", tone: "info" });
  dismissFailures();
  expect(shown()).toEqual(["You are offline.", "Note"]);
});
