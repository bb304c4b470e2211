import type { Resolver } from "node:dns/promises";

/** Reserved names (RFC 2606, 6761) and names without a dot are in no DNS. */
const OUTSIDE_DNS = /^[^.]*$|\.(example|test|invalid|localhost|local)$/;
/** NXDOMAIN, and a name that has other records or names below it only. */
const ABSENT = new Set(["ENOTFOUND", "ENODATA"]);

export interface Question {
  /** The domain of MAIL_FROM. */
  domain: string;
  /** The name that the mail provider has given the DKIM key. */
  selector?: string | undefined;
  /** Who is to get the receivers' reports. */
  contact: string;
}

type Dns = Pick<Resolver, "resolveTxt">;

/** A line each on SPF, DKIM and DMARC, with the record to add where one is missing. */
export async function describeMailRecords(dns: Dns, question: Question): Promise<string[]> {
  const { domain } = question;
  if (OUTSIDE_DNS.test(domain)) return [];
  try {
    if ((await readTexts(dns, domain)) === null) {
      return [`DNS knows no ${domain}, the domain of MAIL_FROM: SPF, DKIM and DMARC say nothing`];
    }
    return await Promise.all([
      describeSpf(dns, question),
      describeDkim(dns, question),
      describeDmarc(dns, question),
    ]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return [`DNS does not answer (${code}): SPF, DKIM and DMARC of ${domain} are not checked`];
  }
}

async function describeSpf(dns: Dns, { domain }: Question): Promise<string> {
  const add = `add the TXT record: ${domain} "v=spf1 include:PROVIDER -all"`;
  const found = (await readTexts(dns, domain))!.filter((text) => /^v=spf1( |$)/i.test(text));
  if (found.length === 0) return `SPF is missing: ${add}`;
  if (found.length > 1) return `SPF is there ${found.length} times, which counts as none: keep one`;
  if (/^v=spf1 [-~?]all$/i.test(found[0]!)) return `SPF lets nobody send for ${domain}: ${add}`;
  return `SPF is there: ${domain} "${found[0]}"`;
}

async function describeDkim(dns: Dns, { domain, selector }: Question): Promise<string> {
  const name = `${selector ?? "SELECTOR"}._domainkey.${domain}`;
  const missing = `DKIM is missing: add the TXT or CNAME record of your mail provider: ${name} "v=DKIM1; k=rsa; p=KEY"`;
  if (selector === undefined) {
    // Where nothing is below a name, DNS says that the name is not there (RFC 8020).
    if ((await readTexts(dns, `_domainkey.${domain}`)) === null) return missing;
    return `DKIM has a key below _domainkey.${domain}: --dkim SELECTOR says whether it is your provider's`;
  }
  const keys = (await readTexts(dns, name)) ?? [];
  return keys.some((text) => /(^|;) *p=[^; ]/.test(text)) ? `DKIM is there: ${name}` : missing;
}

/** The record of a domain holds for those below it too (RFC 9989). */
async function describeDmarc(dns: Dns, { domain, contact }: Question): Promise<string> {
  const labels = domain.split(".");
  const domains = labels.slice(0, -1).map((_, n) => labels.slice(n).join("."));
  for (const each of domains) {
    const texts = (await readTexts(dns, `_dmarc.${each}`)) ?? [];
    const [record] = texts.filter((text) => /^v=DMARC1 *(;|$)/.test(text));
    if (record) return `DMARC is there: _dmarc.${each} "${record}"`;
  }
  const value = `v=DMARC1; p=quarantine; rua=mailto:${contact}`;
  return `DMARC is missing: add the TXT record: _dmarc.${domain} "${value}"`;
}

/** The texts of a name: none where it has only other records, null where nothing is there. */
async function readTexts(dns: Dns, name: string): Promise<string[] | null> {
  try {
    return (await dns.resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!ABSENT.has(code)) throw error;
    return code === "ENODATA" ? [] : null;
  }
}
