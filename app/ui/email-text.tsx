/** Wraps before the @ if the line is too short. */
export function EmailText({ children: address }: { children: string }) {
  const at = address.lastIndexOf("@");
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
}
