import assert from "node:assert/strict";
import { readAlerts } from "#test/alerting.ts";
import { metricsIn } from "#test/scrapes.ts";
import type { Outside } from "./outside.ts";
import { type Stage, until } from "./proxy.ts";

const OPS = "ops@kickabout.example";

/** Whether somebody hears of it: by cron, by the application and by Alertmanager. */
export async function checkAlerting(stage: Stage, { mails }: Outside) {
  process.stdout.write("▸ alerts\n");
  const heard = async (subject: RegExp) =>
    (await mails.subjectsTo(OPS)).some((it) => subject.test(it));
  for (const subject of [/^Kickabout: a test$/, /^Cron can send emails$/]) {
    assert.ok(await heard(subject), `an email about ${subject}`);
  }
  const line = "{ grep ^MAILTO= kickabout; echo '* * * * * kickabout echo alert'; } > alert";
  assert.deepEqual(await stage(`cd /etc/cron.d; ${line}`), { status: 0, out: "" });
  // Alertmanager waits for half a minute for others, cron for the next minute but one.
  await until(() => heard(/KickaboutTest/), 120);
  await until(() => heard(/^Cron <kickabout@kickabout> +echo alert$/), 180);
  await stage("rm /etc/cron.d/alert");

  const ask = async (path: string) => {
    const { out } = await stage(`curl -sS --get 'http://127.0.0.1:9090/api/v1/${path}`);
    return (JSON.parse(out) as { data: Answer }).data;
  };
  const query = async (expr: string) =>
    (await ask(`query' --data-urlencode 'query=${expr}'`)).result;
  await until(async () => (await query("up == 1")).length === 5);
  const { groups } = await ask("rules'");
  const healths = groups.flatMap(({ rules }) => rules.map(({ health }) => health));
  assert.equal(healths.length, readAlerts().length);
  assert.deepEqual(new Set(healths), new Set(["ok"]));

  const aged = await stage(
    `sh -c "$(sed -n 's/^5 \\* \\* \\* \\* root //p' /etc/cron.d/kickabout-backup-age | sed 's/\\\\%/%/g')"`,
  );
  assert.deepEqual(aged, { status: 0, out: "" });
  const named = new Set(readAlerts().flatMap(({ expr }) => metricsIn(expr)));
  const ofOthers = [...named].filter((name) => /^(node|probe)_|_backup_/.test(name));
  assert.equal(ofOthers.length, 5);
  for (const name of ofOthers) await until(async () => (await query(name)).length > 0);
  assert.equal((await query("probe_success == 1")).length, 1);
  const firing = (await query('ALERTS{alertstate="firing"}')).map(({ metric }) => metric.alertname);
  process.stdout.write(`  alerts by email; firing: ${firing.join(", ") || "nothing"}\n`);
}

interface Answer {
  result: { metric: Record<string, string> }[];
  groups: { rules: { health: string }[] }[];
}
