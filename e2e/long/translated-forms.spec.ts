import { request as api, type Route } from "@playwright/test";
import { readEnv } from "#app/platform/env.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { expect, type Page, test } from "../fixtures.ts";
import { goTo, pathsOf, textOf } from "../translated-walk.ts";
import { translatePages, WAYS } from "../translator.ts";

/**
 * On every page: what is read again differs, and each form is rejected, then done with a toast. The
 * answers to forms are ones that were recorded, so that nothing is stored and every form can be sent.
 */
type Router = { state: Record<string, unknown>; revalidate(): Promise<void> };
type Routed = { __reactRouterDataRouter: Router };

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

async function recordSignIn(baseURL: string, password: string): Promise<Answer> {
  const visitor = await api.newContext({ baseURL, extraHTTPHeaders: { Origin: baseURL } });
  const form = { intent: "sign-in", email: "player@uni.example", password };
  const response = await visitor.post("/auth.data", { form });
  const { "set-cookie": _, ...headers } = response.headers();
  const answer = { status: response.status(), headers, body: await response.text() };
  await visitor.dispose();
  return answer;
}

/** Between words of whatever is read again. */
const CHANGE = " xyz ";
const DONE = "Everything is as it was";

interface Stage {
  answer: "rejected" | "done";
  isChanged: boolean;
}

/** Answers each form as `stage` says, and changes what is read while it says so. */
async function interceptForms(page: Page, stage: Stage, answers: Record<Stage["answer"], Answer>) {
  await page.route(/\.data(\?|$)|\/tap$/, async (route: Route) => {
    const request = route.request();
    if (request.method() === "GET") {
      if (!stage.isChanged) return route.continue();
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(
        /"(?:[^"\\]|\\.)* (?:[^"\\]|\\.)*"/g,
        (text) => text.replaceAll(/(?<=\p{L}) (?=\p{L})/gu, CHANGE),
      );
      return route.fulfill({ response, body });
    }
    const { status, headers, body } = answers[stage.answer];
    const intent = /name="intent"\s+(\S+)|(?:^|&)intent=([^&]*)/.exec(request.postData() ?? "");
    const there = new URL(page.url());
    const said = body
      .replaceAll('"sign-in"', JSON.stringify(intent?.[1] ?? intent?.[2] ?? "sign-in"))
      .replaceAll('"/events"', JSON.stringify(there.pathname + there.search));
    if (stage.answer === "done") await setToast(page);
    return route.fulfill({ status, headers, body: said });
  });
}

async function setToast(page: Page) {
  const env = readEnv({ DEMO: "1", DATA_DIR: process.env["E2E_DATA_DIR"] });
  const cookie = await toastCookie(env, { title: "Saved", description: DONE });
  const [name = "", ...value] = cookie.split(";")[0]!.split("=");
  const url = new URL(page.url()).origin;
  await page.context().addCookies([{ name, value: value.join("="), url }]);
}

/** The forms that post, each of a kind once. */
const listForms = (page: Page) =>
  page.evaluate(() => {
    const kinds = Array.from(document.querySelectorAll<HTMLFormElement>("main form"), (form) => {
      const intent = form.elements.namedItem("intent");
      const said = intent instanceof HTMLInputElement ? intent.value : "";
      return form.method === "post" ? `${new URL(form.action).pathname} ${said}` : "";
    });
    return [...new Set(kinds)].filter(Boolean);
  });

/** Whether the form was still there. */
async function sendForm(page: Page, kind: string): Promise<boolean> {
  const isThere = await page.evaluate((wanted) => {
    const form = Array.from(document.querySelectorAll<HTMLFormElement>("main form")).find((one) => {
      const intent = one.elements.namedItem("intent");
      const said = intent instanceof HTMLInputElement ? intent.value : "";
      return one.method === "post" && `${new URL(one.action).pathname} ${said}` === wanted;
    });
    if (form) form.noValidate = true;
    form?.requestSubmit();
    return form !== undefined;
  }, kind);
  await untilIdle(page);
  return isThere;
}

async function untilIdle(page: Page) {
  await page.waitForFunction(() => {
    const { state } = (window as unknown as Routed).__reactRouterDataRouter;
    const { navigation, revalidation, fetchers } = state as {
      navigation: { state: string };
      revalidation: string;
      fetchers: Map<string, { state: string }>;
    };
    const all = [navigation.state, revalidation, ...[...fetchers.values()].map((one) => one.state)];
    return all.every((one) => one === "idle");
  });
}

/** Where the answer is read: in the page, or as a toast. */
const answerIn = (page: Page, answer: Stage["answer"]) =>
  page.getByText(answer === "done" ? DONE : "Wrong email").filter({ visible: true });

/** Leads to another page, or is sent by a script of its own. */
const SILENT = ["/sign-out  rejected", "/chat send done"];

const reread = async (page: Page) => {
  await page.evaluate(() => (window as unknown as Routed).__reactRouterDataRouter.revalidate());
  await untilIdle(page);
};

for (const who of ["visitor", "player", "admin"] as const) {
  for (const way of WAYS) {
    test(`${who}: changes, forms and toasts of every page are shown translated, ${way}`, async ({
      page,
      context,
      database,
      baseURL,
      signIn,
    }) => {
      if (who !== "visitor") await signIn(who);
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(String(error)));
      const paths = (await pathsOf(database))[who];
      const stage: Stage = { answer: "rejected", isChanged: false };
      const answers = {
        rejected: await recordSignIn(baseURL!, "Wrong1234"),
        done: await recordSignIn(baseURL!, "Kickabout1"),
      };
      const plain = await context.newPage();
      await translatePages(page, way);
      const both = [page, plain];
      for (const one of both) {
        await interceptForms(one, stage, answers);
        await one.goto(paths[0]!);
        await one.waitForFunction(() => "__reactRouterDataRouter" in window);
      }
      const areAlike = (what: string) =>
        expect(async () => {
          expect(await textOf(page), what).toBe(await textOf(plain));
        }).toPass({ timeout: 10_000 });
      let [changed, sent] = [0, 0];
      for (const path of paths) {
        for (const one of both) await goTo(one, path);
        stage.isChanged = true;
        for (const one of both) await reread(one);
        await areAlike(`${path} read again`);
        if ((await textOf(plain)).includes(CHANGE.trim())) changed += 1;
        stage.isChanged = false;
        for (const answer of ["rejected", "done"] as const) {
          stage.answer = answer;
          for (const one of both) await goTo(one, path);
          for (const kind of await listForms(plain)) {
            const were = [await sendForm(plain, kind), await sendForm(page, kind)];
            const what = `${path}: ${kind} ${answer}`;
            expect(were[1], what).toBe(were[0]);
            await areAlike(what);
            if (!SILENT.some((one) => what.endsWith(one))) {
              for (const one of both) await expect(answerIn(one, answer), what).not.toHaveCount(0);
            }
            sent += 1;
          }
        }
      }
      expect(problems).toEqual([]);
      expect(changed).toBeGreaterThan(9);
      expect(sent).toBeGreaterThan(12);
    });
  }
}
