import { openConfig } from "../config/open-config.ts";
import { storePlace } from "../config/store-place.ts";

/** Options of {@link configuredStore}. */
export interface ConfiguredStoreOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values that win over the file, as of `-c`. */
  readonly configOverrides?: Readonly<Record<string, unknown>> | undefined;
}

/** The address of the database that a user's configuration names; `undefined` where threads are files. */
export function configuredStore({ home, env, configOverrides }: ConfiguredStoreOptions): string | undefined {
  return storePlace(openConfig({ home, env, cliOverrides: configOverrides }), home)?.url;
}
