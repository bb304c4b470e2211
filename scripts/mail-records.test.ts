import { Resolver } from "node:dns/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type DnsServer, openDnsServer } from "#test/dns-server.ts";
import { describeMailRecords } from "./mail-records.ts";

let server: DnsServer;
const dns = new Resolver({ timeout: 1_000, tries: 1 });
beforeAll(async () => {
  server = await openDnsServer();
  dns.setServers([server.address]);
});
beforeEach(() => Object.assign(server, { texts: {}, isRejecting: false }));
afterAll(() => server.close());

const ask = (domain = "kick.uni.fi", selector?: string) =>
  describeMailRecords(dns, { domain, selector, contact: "ops@uni.fi" });

const KEY = `v=DKIM1; k=rsa; p=${"A".repeat(392)}`;

test("a domain without SPF, DKIM and DMARC gets each record to add", async () => {
  server.texts = { "kick.uni.fi": ["site-verification=1"] };
  expect(await ask()).toEqual([
    'SPF is missing: add the TXT record: kick.uni.fi "v=spf1 include:PROVIDER -all"',
    'DKIM is missing: add the TXT or CNAME record of your mail provider: SELECTOR._domainkey.kick.uni.fi "v=DKIM1; k=rsa; p=KEY"',
    'DMARC is missing: add the TXT record: _dmarc.kick.uni.fi "v=DMARC1; p=quarantine; rua=mailto:ops@uni.fi"',
  ]);
});

test("a domain with all three is said to have them, the DMARC of the domain above it too", async () => {
  server.texts = {
    "kick.uni.fi": ["v=spf1 include:mail.uni.fi -all"],
    "s1._domainkey.kick.uni.fi": [KEY],
    "_dmarc.uni.fi": ["v=DMARC1; p=reject"],
  };
  const [spf, , dmarc] = await ask();
  expect(spf).toBe('SPF is there: kick.uni.fi "v=spf1 include:mail.uni.fi -all"');
  expect(dmarc).toBe('DMARC is there: _dmarc.uni.fi "v=DMARC1; p=reject"');
  expect((await ask("kick.uni.fi", "s1"))[1]).toBe("DKIM is there: s1._domainkey.kick.uni.fi");
});

test("a DKIM key is the provider's only by its selector, and a revoked one is missing", async () => {
  server.texts = { "s1._domainkey.kick.uni.fi": [KEY], "s2._domainkey.kick.uni.fi": ["p="] };
  expect((await ask())[1]).toMatch(/^DKIM has a key below _domainkey\.kick\.uni\.fi: --dkim /);
  expect((await ask("kick.uni.fi", "s2"))[1]).toMatch(/^DKIM is missing: .* s2\._domainkey/);
  expect((await ask("kick.uni.fi", "other"))[1]).toMatch(/^DKIM is missing/);
});

test("two SPF records count as none, and one that lets nobody send is not enough", async () => {
  server.texts = { "kick.uni.fi": ["v=spf1 mx -all", "v=spf1 include:mail.uni.fi -all"] };
  expect((await ask())[0]).toMatch(/^SPF is there 2 times/);
  server.texts = { "kick.uni.fi": ["v=spf1 -all"] };
  expect((await ask())[0]).toMatch(/^SPF lets nobody send for kick\.uni\.fi: add /);
});

test("a DNS that does not answer, or does not know the domain, is not taken for missing records", async () => {
  expect(await ask()).toEqual([expect.stringMatching(/^DNS knows no kick\.uni\.fi/)]);
  server.isRejecting = true;
  expect(await ask()).toEqual([expect.stringMatching(/^DNS does not answer \(EREFUSED\)/)]);
});

test("a name that no DNS has is not asked for", async () => {
  server.isRejecting = true;
  expect(await ask("kickabout.example")).toEqual([]);
  expect(await ask("localhost")).toEqual([]);
});
