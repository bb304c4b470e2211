import type { ReactNode } from "react";
import { Body, Button, Container, Head, Heading, Hr, Html, Preview, Text } from "react-email";

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
    <Html lang="en">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{DARK_STYLE}</style>
      </Head>
      <Preview>{preview}</Preview>
      <Body className="page" style={page}>
        <Container className="box" style={rules}>
          <Text className="quiet" style={brandLine}>
            {brand}
          </Text>
          <Heading as="h1" className="ink" style={heading}>
            {title}
          </Heading>
          {children}
          {action && (
            <Button href={action.href} style={button}>
              {action.label}
            </Button>
          )}
          {below && <MailText>{below}</MailText>}
          <Hr className="line" style={rule} />
          <Text className="quiet" style={small}>
            {footer}
          </Text>
        </Container>
      </Body>
    </Html>
  );
}

export function MailText({ children }: { children: ReactNode }) {
  return (
    <Text className="ink" style={paragraph}>
      {children}
    </Text>
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
const brandLine = { margin: 0, fontSize: "14px", fontWeight: 700, color: "#4c5b52" };
const heading = { margin: "8px 0 16px", fontSize: "24px", lineHeight: "30px", color: ink };
const paragraph = { margin: "0 0 14px", fontSize: "16px", lineHeight: "24px", color: ink };
const button = {
  margin: "8px 0 12px",
  padding: "13px 22px",
  backgroundColor: "#c9f53a",
  border: "1px solid #5f7d00",
  borderRadius: "12px",
  color: ink,
  fontSize: "16px",
  fontWeight: 700,
};
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
const rule = { margin: "16px 0 12px", borderColor: "#d3dcd0" };
const small = { margin: 0, fontSize: "13px", lineHeight: "19px", color: "#4c5b52" };
