/** Made-up partners; their marks are drawn in public/partners. */
export const PARTNERS = ["Harbour Café", "Northline Bikes", "Studio Loimu", "Campus Gym"].map(
  (name, index) => ({
    name,
    logo_url: `/partners/${name.toLowerCase().replace(/é/, "e").replaceAll(" ", "-")}.svg`,
    website_url: "https://example.com/",
    sort_order: index,
  }),
);
