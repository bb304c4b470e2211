import type { CSSProperties, ReactNode } from "react";

/*
 * What mail programs need that browsers do not: tables, since some lay out nothing else; every margin
 * and padding by its own name; and Word, which draws Outlook's mails, reads paddings in comments.
 */

interface Part {
  className?: string;
  style: CSSProperties;
  children: ReactNode;
}

/** A whole width with padding, which programs respect at a cell alone. */
export function MailPage({ className, style, children }: Part) {
  const { backgroundColor } = style;
  return (
    <body className={className} style={{ backgroundColor, margin: 0, padding: 0 }}>
      <table
        border={0}
        width="100%"
        cellPadding="0"
        cellSpacing="0"
        role="presentation"
        align="center"
      >
        <tbody>
          <tr>
            <td dir="ltr" lang="en" style={style}>
              {children}
            </td>
          </tr>
        </tbody>
      </table>
    </body>
  );
}

export function MailBox({ className, style, children }: Part) {
  const { padding, ...outside } = style;
  return (
    <table
      align="center"
      width="100%"
      className={className}
      border={0}
      cellPadding="0"
      cellSpacing="0"
      role="presentation"
      style={outside}
    >
      <tbody>
        <tr style={{ width: "100%" }}>
          <td style={{ padding }}>{children}</td>
        </tr>
      </tbody>
    </table>
  );
}

const PREVIEW_LENGTH = 200;
/** Keeps what follows in the mail out of the line that a list of mails shows. */
const BLANK = "\u00a0\u200c\u200b\u200d\ufeff";

export function MailPreview({ text }: { text: string }) {
  const shown = text.slice(0, PREVIEW_LENGTH);
  return (
    <>
      <title>{shown}</title>
      <div style={hidden} data-skip-in-text>
        {shown}
        <div>{BLANK.repeat(PREVIEW_LENGTH - shown.length)}</div>
      </div>
    </>
  );
}

export function MailButton({ label, href }: { label: string; href: string }) {
  return (
    <a href={href} style={button} target="_blank">
      <span dangerouslySetInnerHTML={{ __html: wordSpace(";mso-text-raise:19.5px") }} />
      <span style={buttonLabel}>{label}</span>
      <span dangerouslySetInnerHTML={{ __html: wordSpace("", "&#8203;") }} />
    </a>
  );
}

export function MailLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} style={{ color: "inherit", textDecoration: "underline" }} target="_blank">
      {children}
    </a>
  );
}

/** 22 px beside the label: three spaces of 366.67 % of their half width. */
function wordSpace(more: string, end = "") {
  const space = `${"&#8202;".repeat(3)}${end}`;
  return `<!--[if mso]><i style="mso-font-width:366.67%${more}" hidden>${space}</i><![endif]-->`;
}

const hidden: CSSProperties = {
  display: "none",
  overflow: "hidden",
  lineHeight: "1px",
  opacity: 0,
  maxHeight: 0,
  maxWidth: 0,
};
const button = {
  display: "inline-block",
  maxWidth: "100%",
  msoPaddingAlt: "0px",
  margin: "8px 0 12px",
  paddingTop: 13,
  paddingRight: 22,
  paddingBottom: 13,
  paddingLeft: 22,
  backgroundColor: "#c9f53a",
  border: "1px solid #5f7d00",
  borderRadius: "12px",
  color: "#0e1a14",
  fontSize: "16px",
  fontWeight: 700,
  lineHeight: "100%",
  textDecoration: "none",
};
const buttonLabel = {
  maxWidth: "100%",
  display: "inline-block",
  lineHeight: "120%",
  msoPaddingAlt: "0px",
  msoTextRaise: "9.75px",
};
