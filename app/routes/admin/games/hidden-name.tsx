export function HiddenName({ children }: { children: string }) {
  return (
    <span translate="no" className="sr-only">
      {children}
    </span>
  );
}
