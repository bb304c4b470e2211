import type { Db } from "../../platform/db.server.ts";

export interface Partner {
  id: string;
  name: string;
  logoUrl: string | null;
  /** As it was typed: whoever links to it checks that it is a web address. */
  websiteUrl: string | null;
}

/** The active partners, in the order that the admins gave them, then oldest first. */
export async function listActivePartners(db: Db): Promise<Partner[]> {
  return db
    .selectFrom("partners")
    .select(["id", "name", "logo_url as logoUrl", "website_url as websiteUrl"])
    .where("is_active", "=", true)
    .orderBy("sort_order")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}
