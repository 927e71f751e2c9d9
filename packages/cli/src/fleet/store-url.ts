import process from "node:process";
import { type ConfigFlagValues, configOverrides } from "../args/config-flags.ts";
import { UsageError } from "../args/usage-error.ts";

/** The database of threads that the configuration names, and the home that it belongs to. */
export async function configuredDatabase(
  flags: ConfigFlagValues,
): Promise<{ readonly url: string; readonly home: string }> {
  const [{ resolveHome }, { configuredStore }] = await Promise.all([
    import("@quire/server/startup"),
    import("@quire/server/shared-store"),
  ]);
  const home = resolveHome(process.env);
  const url = configuredStore({ home, env: process.env, configOverrides: configOverrides(flags) });
  if (url !== undefined) return { url, home };
  throw new UsageError(
    `threads are files here; name a database in ${home}/config.toml:\n\n[store]\nurl = "postgres://USER:PASSWORD@HOST/DATABASE"`,
  );
}
