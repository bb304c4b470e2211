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
        <meta name="color-scheme" content="light" />
      </Head>
      <Preview>{preview}</Preview>
      <Body style={page}>
        <Container style={rules}>
          <Text style={brandLine}>{brand}</Text>
          <Heading as="h1" style={heading}>
            {title}
          </Heading>
          {children}
          {action && (
            <Button href={action.href} style={button}>
              {action.label}
            </Button>
          )}
          {below && <MailText>{below}</MailText>}
          <Hr style={rule} />
          <Text style={small}>{footer}</Text>
        </Container>
      </Body>
    </Html>
  );
}

export function MailText({ children }: { children: ReactNode }) {
  return <Text style={paragraph}>{children}</Text>;
}

// Mail programs read neither style sheets nor custom properties.
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
const rule = { margin: "16px 0 12px", borderColor: "#d3dcd0" };
const small = { margin: 0, fontSize: "13px", lineHeight: "19px", color: "#4c5b52" };
