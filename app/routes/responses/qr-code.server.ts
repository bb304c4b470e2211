import { encode } from "uqr";

export type QrCode = ReturnType<typeof qrCode>;

export function qrCode(text: string) {
  const { data: rows, size } = encode(text, { ecc: "M", border: 4 });
  const squares = rows.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")),
  );
  return { squares: squares.join(""), size };
}
