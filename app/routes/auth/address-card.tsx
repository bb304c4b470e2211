import { Mail } from "#app/ui/icon.tsx";

/** The address that a mail went to, or that a link is about. */
export function AddressCard({ email }: { email: string }) {
  return (
    <p className="flex items-center gap-3 rounded-card bg-surface p-4 font-semibold shadow-card">
      <Mail className="text-muted" />
      <span className="min-w-0 wrap-anywhere">{email}</span>
    </p>
  );
}
