import type { DeskPartner } from "#app/features/partners/partners.server.ts";
import { ownPath } from "#app/ui/picture.tsx";

/** A partner in the words of the desk. */
export function showPartner({ name, logoUrl, websiteUrl, ...rest }: DeskPartner) {
  return {
    ...rest,
    name: name || "Partner",
    // Without one of ours its name stands on the front page.
    logoUrl: ownPath(logoUrl),
    website: websiteUrl ? (URL.parse(websiteUrl)?.host ?? websiteUrl) : "",
    values: { name, websiteUrl: websiteUrl ?? "", sortOrder: String(rest.sortOrder) },
  };
}

export type PartnerWords = ReturnType<typeof showPartner>;
export type PartnerValues = PartnerWords["values"];

export const PARTNERS = "/admin/partners";
export const partnerPath = (id: string) => `${PARTNERS}/${id}`;
