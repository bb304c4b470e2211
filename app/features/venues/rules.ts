/** The cities we play in (specification, section 9). */
export const CITIES = ["Helsinki", "Espoo", "Vantaa"] as const;
