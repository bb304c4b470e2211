import type { Site } from "./meta.ts";

export function postalAddress({ address, city }: { address: string | null; city: string }) {
  return {
    "@type": "PostalAddress",
    streetAddress: address ?? undefined,
    addressLocality: city,
    addressCountry: "FI",
  };
}

export function organization({ brandName, companyName, contactEmail, appUrl }: Site) {
  return {
    "@context": "https://schema.org",
    "@type": "Organization",
    name: brandName,
    legalName: companyName,
    email: contactEmail,
    url: appUrl,
    logo: `${appUrl}/icon-512.png`,
  };
}
