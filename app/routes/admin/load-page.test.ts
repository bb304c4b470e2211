import { data, redirect } from "react-router";
import { expect, test, vi } from "vitest";
import { log } from "#app/platform/log.server.ts";
import { loadPage } from "./load-page.server.ts";

test("a redirect and a 404 that a read throws are no failure", async () => {
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  for (const thrown of [redirect("/admin"), data(null, { status: 404 })]) {
    await expect(loadPage("Failed to load", () => Promise.reject(thrown))).rejects.toBe(thrown);
  }
  expect(logged).not.toHaveBeenCalled();
  const failed = await loadPage("Failed to load", () => Promise.reject(new Error("gone")));
  expect(failed.init).toMatchObject({ status: 500 });
  expect(logged).toHaveBeenCalledOnce();
});

test("what is missing is a 404, which the page's boundary shows", async () => {
  const missing = loadPage("Failed to load", () => Promise.resolve(null));
  await expect(missing).rejects.toMatchObject({ init: { status: 404 } });
});
