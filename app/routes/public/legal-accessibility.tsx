import type { ReactNode } from "react";
import { SiteLinks } from "#app/routes/site-links.tsx";
import { metaOf } from "#app/routes/meta.ts";
import { useSite } from "#app/routes/site.ts";
import { CornerArc } from "#app/ui/pitch-lines.tsx";

export const handle = { isPlain: true };

export const meta = metaOf({
  title: "Accessibility",
  description: "How accessible this site is, what was tested, and whom to tell about a barrier.",
  path: "/accessibility",
});

export default function Accessibility() {
  const { brandName, companyName, contactEmail } = useSite();
  return (
    <div className="relative isolate overflow-hidden">
      <CornerArc className="top-0 right-0 size-16 rotate-180 lg:size-72" />
      <article className="mx-auto grid max-w-2xl gap-6 px-4 pt-8">
        <h1 className="text-xl">Accessibility</h1>
        <p>
          {companyName} wants everybody to be able to use {brandName}. Our aim is the Web Content
          Accessibility Guidelines (WCAG) 2.2 at level AA. This statement is our own assessment;
          nobody else has audited the site.
        </p>
        <Part title="What we test">
          <li>Pages and open dialogs are checked by axe-core, with its rules for WCAG A and AA.</li>
          <li>Text and controls are checked for contrast, in the light and the dark theme.</li>
          <li>Finding, joining and cancelling a game is done by keyboard alone, as a test.</li>
          <li>Pages are looked at from 320 pixels of width up: nothing scrolls sideways.</li>
          <li>Motion stops when your device asks for less of it.</li>
          <li>Forms work without JavaScript.</li>
        </Part>
        <Part title="What we know is missing">
          <li>No test with screen readers by people who use them every day has been made.</li>
          <li>Legal texts are plain text: they have no headings to jump between.</li>
          <li>
            The payment page and the subscription page belong to our payment provider, who is
            responsible for them.
          </li>
        </Part>
        <section>
          <h2 className="mb-2 text-lg">Tell us</h2>
          <p>
            Met a barrier, or need something in another form? Write to{" "}
            <a translate="no" href={`mailto:${contactEmail}`} className="link">
              {contactEmail}
            </a>
            . We answer within 14 days. If you are not satisfied with the answer, you can turn to
            the authority that supervises accessibility in Finland, Traficom.
          </p>
        </section>
        <SiteLinks className="border-t border-line pt-2 md:hidden" />
      </article>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-2 text-lg">{title}</h2>
      <ul className="grid list-disc gap-1 pl-5">{children}</ul>
    </section>
  );
}
