export type Change = Record<"label" | "from" | "to", string>;

export function ChangeLines({ changes }: { changes: Change[] }) {
  return changes.map(({ label, from, to }) => (
    <span key={label}>
      {label}: {from} → <strong>{to}</strong>
      <br />
    </span>
  ));
}
