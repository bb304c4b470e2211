type RollingProps = { text: string; isLive: boolean };

/** A text whose number rolls in once it has changed on the open page. */
export function Rolling({ text, isLive }: RollingProps) {
  if (!isLive) return text;
  const [number = "", ...words] = text.split(" ");
  return (
    <span>
      <span key={number} className="roll">
        {number}
      </span>{" "}
      {words.join(" ")}
    </span>
  );
}
