import { vi } from "vitest";

const WAIT_MS = 100_000;

type Wait = typeof vi.waitFor & { isPatient?: true };

// A wait ends with what it waits for. Vitest's own limit of a second, which no configuration raises,
// is met by whatever else the machine does.
for (const name of ["waitFor", "waitUntil"] as const) {
  const wait = vi[name] as Wait;
  // Test files share their processes.
  if (wait.isPatient) continue;
  const patient = (done: () => unknown, options: Exclude<Parameters<Wait>[1], number> = {}) =>
    wait(done, { timeout: WAIT_MS, ...options });
  Object.assign(vi, { [name]: Object.assign(patient, { isPatient: true }) });
}
