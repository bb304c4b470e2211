import { readFileSync } from "node:fs";
import * as https from "node:https";
import { isMet } from "../incidents/alarms.ts";
import { openCaddy } from "../incidents/caddy.ts";
import { readIncident } from "../incidents/page.ts";
import { aPayment, purchasesOf } from "../incidents/payments.ts";
import { aPerson } from "../incidents/people.ts";
import { openStage, type Stage } from "../incidents/stage.ts";
import { expect, test } from "../fixtures.ts";

/* Incidents of docs/runbook.md, each ended by the page's own commands. */
test.describe.configure({ mode: "serial", timeout: 400_000 });
const BACK = { timeout: 90_000, intervals: [500] };

let stage: Stage;
let caddy: Awaited<ReturnType<typeof openCaddy>>;
test.beforeAll(async () => {
  test.setTimeout(600_000);
  stage = await openStage();
  caddy = await openCaddy(stage);
});
// No incident may end a process.
test.afterEach(() => expect(stage.units.lost).toEqual([]));
test.afterAll(async () => {
  await caddy?.close();
  await stage?.close();
});

test("10, the certificate has expired", async () => {
  const { see, steps, over } = readIncident(10);
  const [warned, inside] = see;
  const [why, restart] = steps[0]!;
  const [outside, reconcile] = over;
  await stage.run(readIncident(4).steps[0]![2]);
  const player = await aPerson(stage);
  const payment = await aPayment(stage, player.userId);
  // A good one first, by which the page's own question finds nothing.
  await stage.units.run("start caddy");
  await expect.poll(async () => (await stage.run(outside)).status, BACK).toBe(0);
  expect((await stage.run(warned)).out).toBe("");
  expect(isMet("KickaboutCertificateExpires", await caddy.probe())).toBe(false);

  const isExpired = async () => (await stage.run(warned)).out.includes("certificate has expired");
  // It is at its end, and who would renew it reaches port 80 no more.
  caddy.authority.mood.days = 0;
  await stage.run("rm --recursive --force /var/lib/caddy/caddy/certificates");
  await stage.run("systemctl reload caddy");
  await expect.poll(isExpired, BACK).toBe(true);
  // Both of its orders have ended, or the next process would wait for the lock of this one.
  const log = () => readFileSync(stage.at("var/log/units/caddy.log"), "utf8");
  await expect.poll(() => log().match(/"releasing lock"/g)?.length, BACK).toBeGreaterThan(1);
  caddy.firewall.isOpen = false;
  await stage.units.run("restart caddy");

  await expect.poll(isExpired, BACK).toBe(true);
  expect((await stage.run(outside)).status).not.toBe(0);
  expect((await stage.run(inside)).status).toBe(0);
  const probed = await caddy.probe();
  for (const alert of ["KickaboutCertificateExpires", "KickaboutSiteDown"]) {
    expect(isMet(alert, probed)).toBe(true);
  }
  await expect(deliver(payment.completed)).rejects.toThrow("certificate has expired");
  await expect
    .poll(async () => (await stage.run(why)).out, BACK)
    .toContain("likely firewall problem");

  // As the step says it.
  caddy.firewall.isOpen = true;
  caddy.authority.mood.days = 90;
  expect((await stage.run(restart)).status).toBe(0);
  await expect.poll(async () => (await stage.run(outside)).status, BACK).toBe(0);
  expect((await stage.run(warned)).out).toBe("");
  expect((await stage.run(reconcile)).status).toBe(0);
  expect(await purchasesOf(stage, player)).toEqual([payment.id]);
  for (const alert of ["KickaboutCertificateExpires", "KickaboutSiteDown"]) {
    expect(isMet(alert, await caddy.probe())).toBe(false);
  }
});

/** Delivers like Stripe, which believes no certificate that has expired. */
function deliver(sent: object) {
  return new Promise((resolve, reject) => {
    const request = https.request({
      ...{ host: "127.0.0.1", port: caddy.https, servername: "kickabout.example" },
      ...{ ca: readFileSync(caddy.authority.root), method: "POST", path: "/webhooks/stripe" },
    });
    request.on("response", (response) => resolve(response.resume().statusCode));
    request.on("error", reject);
    request.end(JSON.stringify(sent));
  });
}
