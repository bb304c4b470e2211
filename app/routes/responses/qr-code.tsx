import type { QrCode } from "#app/routes/responses/qr-code.server.ts";

/** Black on white in every theme: not every app reads inverted codes. */
export function QrCodePicture({ code, label }: { code: QrCode; label: string }) {
  const { size, squares } = code;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full max-w-64 justify-self-center rounded-card"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={squares} fill="#000" />
    </svg>
  );
}
