import { listActivePartners } from "#app/features/partners/partners.server.ts";
import { webAddress } from "#app/features/venues/rules.ts";
import { log } from "#app/platform/log.server.ts";
import { ownPath } from "#app/ui/picture.tsx";
import type { App } from "#app/routes/context.server.ts";
import type { PartnerLogo } from "./landing-partners.tsx";

/** The partners to show; none where they cannot be read, as the page does without them. */
export async function loadPartners({ db }: App): Promise<PartnerLogo[]> {
  try {
    const partners = await listActivePartners(db);
    return partners
      .map(({ id, name, logoUrl, websiteUrl }) => ({
        ...{ id, name, logoUrl: ownPath(logoUrl), website: webAddress(websiteUrl) },
      }))
      .filter(({ name, logoUrl }) => name || logoUrl)
      .map((partner) => ({ ...partner, name: partner.name || "Partner" }));
  } catch (error) {
    log.error({ err: error }, "loading the partners");
    return [];
  }
}
