import type { ReactNode } from "react";
import { MailBox, MailButton, MailPage, MailPreview } from "./mail-parts.tsx";

type MailShellProps = {
  brand: string;
  preview: string;
  title: string;
  action?: { label: string; href: string } | undefined;
  /** After the action, so that the action is an email's first link. */
  below?: ReactNode;
  footer: ReactNode;
  children: ReactNode;
};

export function MailShell(props: MailShellProps) {
  const { brand, preview, title, action, below, footer, children } = props;
  return (
    <html lang="en" dir="ltr">
      <head>
        <meta content="text/html; charset=UTF-8" httpEquiv="Content-Type" />
        <meta name="x-apple-disable-message-reformatting" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{DARK_STYLE}</style>
      </head>
      <MailPreview text={preview} />
      <MailPage className="page" style={page}>
        <MailBox className="box" style={rules}>
          <p className="quiet" style={brandLine}>
            {brand}
          </p>
          <h1 className="ink" style={heading}>
            {title}
          </h1>
          {children}
          {action && <MailButton {...action} />}
          {below && <MailText>{below}</MailText>}
          <hr className="line" style={rule} />
          <p className="quiet" style={small}>
            {footer}
          </p>
        </MailBox>
      </MailPage>
    </html>
  );
}

export function MailText({ children }: { children: ReactNode }) {
  return (
    <p className="ink" style={paragraph}>
      {children}
    </p>
  );
}
export interface MailRow {
  label: string;
  note?: string | null;
  amount: string;
  isTotal?: boolean;
}

/** Amounts below each other; as plain text "label: amount". */
export function MailRows({ rows }: { rows: MailRow[] }) {
  return (
    <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} style={table}>
      <tbody>
        {rows.map(({ label, note, amount, isTotal = false }) => (
          <tr key={label} className="row-in-text">
            <td className="ink line in-text" style={{ ...cell, ...(isTotal && total) }}>
              {label}
              {note && (
                <span className="quiet" style={small}>
                  <br />
                  {note}
                </span>
              )}
              <span style={{ display: "none" }}>: </span>
            </td>
            <td
              className="ink line in-text"
              align="right"
              style={{ ...cell, ...(isTotal && total) }}
            >
              {amount}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// Many mail programs read no style sheets, and none reads custom properties: what is light stands at
// the elements. Those that do dark letters read this; elsewhere they darken them by themselves.
export const DARK_STYLE = `@media (prefers-color-scheme: dark) {
/* Its colour stands at a table inside it too. */
.page, .page > table > tbody > tr > td { background-color: #0a100d !important; }
.box { background-color: #131b17 !important; border-color: #2b3831 !important; }
.ink { color: #eef3ea !important; }
.quiet { color: #a9b8ae !important; }
.line { border-color: #2b3831 !important; }
}`;
const ink = "#0e1a14";
const fontFamily = "Archivo, 'Helvetica Neue', Helvetica, Arial, sans-serif";
const page = {
  margin: 0,
  padding: "24px 12px",
  backgroundColor: "#f2f5ee",
  color: ink,
  fontFamily,
};
const rules = {
  maxWidth: "520px",
  padding: "28px 28px 20px",
  backgroundColor: "#ffffff",
  border: "1px solid #d3dcd0",
  borderRadius: "12px",
};
const brandLine = {
  ...margins(0),
  fontSize: "14px",
  lineHeight: "24px",
  fontWeight: 700,
  color: "#4c5b52",
};
const heading = { margin: "8px 0 16px", fontSize: "24px", lineHeight: "30px", color: ink };
const paragraph = { ...margins("14px"), fontSize: "16px", lineHeight: "24px", color: ink };
const table = { margin: "0 0 14px" };
const cell = {
  padding: "8px 0",
  borderTop: "1px solid #d3dcd0",
  fontSize: "16px",
  lineHeight: "24px",
  color: ink,
  verticalAlign: "top",
};
const total = { fontWeight: 700 };
const rule = {
  width: "100%",
  border: "none",
  borderTop: "1px solid #d3dcd0",
  margin: "16px 0 12px",
};
const small = { ...margins(0), fontSize: "13px", lineHeight: "19px", color: "#4c5b52" };

/** Each by its own name: some programs drop a `margin` of a paragraph. */
function margins(marginBottom: number | string) {
  return { marginTop: 0, marginRight: 0, marginBottom, marginLeft: 0 };
}
