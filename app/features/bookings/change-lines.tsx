export type Change = Record<"label" | "from" | "to", string>;

/** In an email: what was changed in a game. */
export function ChangeLines({ changes }: { changes: Change[] }) {
  return changes.map(({ label, from, to }) => (
    <span key={label}>
      {label}: {from} → <strong>{to}</strong>
      <br />
    </span>
  ));
}
