import { Button } from "./button.tsx";
import { TextField } from "./field.tsx";
import { toast } from "./toast.ts";
import { useHydrated } from "./use-hydrated.ts";

type FieldToCopyProps = { label: string; value: string; noun: "address" | "link" };

export function FieldToCopy({ label, value, noun }: FieldToCopyProps) {
  const hydrated = useHydrated();
  return (
    <div className="flex flex-wrap items-end gap-3">
      <TextField
        label={label}
        readOnly
        value={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
        className="min-w-0 grow basis-full sm:basis-0"
      />
      {hydrated && (
        <Button type="button" onClick={() => void copy(value, noun)} className="min-h-12">
          Copy
        </Button>
      )}
    </div>
  );
}

async function copy(value: string, noun: string) {
  try {
    await navigator.clipboard.writeText(value);
    toast({ title: `${noun[0]!.toUpperCase()}${noun.slice(1)} copied!` });
  } catch {
    toast({ title: `Could not copy the ${noun}.`, tone: "danger" });
  }
}
