import { Chip } from "#app/ui/chip.tsx";

export interface PartnerLogo {
  id: string;
  name: string;
  logoUrl: string;
  website: string | null;
}

export function Partners({ partners }: { partners: PartnerLogo[] }) {
  if (partners.length === 0) return null;
  return (
    <section aria-labelledby="partners" className="marquee mx-auto max-w-6xl px-4 py-8">
      <div className="flex min-h-11 items-center justify-between gap-4">
        <h2 id="partners" className="text-xl">
          They Trust Us
        </h2>
        <Chip className="motion-reduce:hidden">
          Pause<span className="sr-only"> the logos</span>
        </Chip>
      </div>
      <div className="marquee-track mt-4">
        <ul>
          {partners.map((partner) => (
            <li key={partner.id}>
              <LinkedLogo {...partner} />
            </li>
          ))}
        </ul>
        {/* What follows on the right while the first list leaves on the left. */}
        <ul aria-hidden inert>
          {partners.map((partner) => (
            <li key={partner.id} className={tile}>
              <Logo {...partner} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

// Light in dark mode too: most logos are made for white.
const tile =
  "grid h-20 w-40 place-items-center rounded-card border border-line bg-chalk p-2 text-night shadow-card md:w-56";

function LinkedLogo(partner: PartnerLogo) {
  const logo = <Logo {...partner} />;
  if (!partner.website) return <div className={tile}>{logo}</div>;
  return (
    <a href={partner.website} rel="noopener" className={tile}>
      {logo}
    </a>
  );
}

// A fixed size, so that nothing shifts when the picture loads.
function Logo({ name, logoUrl }: PartnerLogo) {
  return (
    <img
      src={logoUrl}
      alt={name}
      width={144}
      height={48}
      loading="lazy"
      decoding="async"
      className="h-12 w-36 object-contain md:w-48"
    />
  );
}
