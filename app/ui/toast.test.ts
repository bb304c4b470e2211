import { beforeEach, expect, test, vi } from "vitest";
import { dismissFailure, dismissToast, toast, useToast } from "./toast.ts";

// Outside a browser the hook would answer as on the server, where nothing is said.
vi.mock("react", () => ({
  useSyncExternalStore: (_subscribe: unknown, current: () => unknown) => current(),
}));

const shown = () => useToast()?.title;
const action = { label: "Try again", run: () => {} };
beforeEach(() => dismissToast());

test("a new toast replaces the one before, whatever it says", () => {
  toast({ title: "Upload failed", tone: "danger" });
  toast({ title: "Link copied" });
  expect(shown()).toBe("Link copied");
  toast({ title: "You are offline.", tone: "danger", action });
  toast({ title: "Picture updated" });
  expect(shown()).toBe("Picture updated");
});

test("a toast with an id is shown once, even after another replaced it", () => {
  toast({ id: "sent", title: "Failed", tone: "danger" });
  toast({ title: "Saved" });
  toast({ id: "sent", title: "Failed", tone: "danger" });
  expect(shown()).toBe("Saved");
});

test("only the toast that is shown can be dismissed by its id", () => {
  const first = toast({ title: "Link copied" });
  const second = toast({ title: "Link copied" });
  dismissToast(first);
  expect(shown()).toBe("Link copied");
  dismissToast(second);
  expect(shown()).toBeUndefined();
});

test("a new page drops a failure without an action, and nothing else", () => {
  toast({ title: "Sign in failed", tone: "danger" });
  dismissFailure();
  expect(shown()).toBeUndefined();
  toast({ title: "You are offline.", tone: "danger", action });
  dismissFailure();
  expect(shown()).toBe("You are offline.");
  toast({ title: "Link copied" });
  dismissFailure();
  expect(shown()).toBe("Link copied");
});
