interface LegalTextProps {
  title: string;
  content: string;
  heading?: "h1" | "h2" | "h3";
}

export function LegalText({ title, content, heading: Heading = "h1" }: LegalTextProps) {
  return (
    <>
      <Heading className="text-xl wrap-anywhere">{title}</Heading>
      <div className="wrap-anywhere whitespace-pre-line">{content}</div>
    </>
  );
}
