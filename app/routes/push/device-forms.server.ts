import {
  addDevice,
  readSubscription,
  removeDevice,
} from "#app/features/notifications/devices.server.ts";
import { playerRow } from "#app/routes/player-row.server.ts";

/** The forms of `push-device.tsx`, for each page that has it. */
export const deviceForms = {
  "device-on": playerRow({
    failed: "Failed to turn on notifications",
    run: async ({ db, viewer, fields, now }) => {
      const read = readSubscription(fields.subscription ?? "");
      if (read.ok) await addDevice(db, viewer, read.subscription, now());
      return read;
    },
    errors: {
      unreadable: [
        "invalid",
        "This browser did not say where to send notifications. Please try again.",
      ],
      "unknown-service": [
        "invalid",
        "Notifications do not work in this browser. Please try another one.",
      ],
    },
    done: { title: "Notifications are on for this device" },
  }),
  "device-off": playerRow({
    failed: "Failed to turn off notifications",
    run: ({ db, viewer }) => removeDevice(db, viewer.sessionId),
    errors: {},
    done: { title: "Notifications are off for this device" },
  }),
};
