interface LegalTextProps {
  title: string;
  content: string;
  /** Of the title: a preview has another heading above it. */
  heading?: "h1" | "h3";
}

/** A legal text as it was written: plain, its line breaks kept. */
export function LegalText({ title, content, heading: Heading = "h1" }: LegalTextProps) {
  return (
    <>
      <Heading className="text-xl wrap-anywhere">{title}</Heading>
      <div className="wrap-anywhere whitespace-pre-line">{content}</div>
    </>
  );
}
