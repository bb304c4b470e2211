type RollingProps = { text: string; isLive: boolean };

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
