export const PACKS = "/admin/packs";

/** What the form of a pack holds, as text; a ticked box is "1". */
export interface PackValues {
  name: string;
  price: string;
  credits: string;
  isActive: string;
}

export const NEW_PACK: PackValues = { name: "", price: "", credits: "", isActive: "1" };
