import type { Connection } from "#app/platform/connect.server.ts";
import { openEmbeddedStore } from "./embedded-store.ts";
import { openServerStore } from "./server-store.ts";
import type { Place, Store } from "./store.ts";

export const openStore = (place: Place, database: Connection): Store =>
  place.databaseUrl ? openServerStore(database) : openEmbeddedStore(place.dataDir, database);
