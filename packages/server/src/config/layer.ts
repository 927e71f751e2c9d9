import type { ConfigLayerSource, ConfigWarningNotification } from "@quire/protocol";
import type { Table } from "../lib/table.ts";
import type { ConfigFile } from "./config-files.ts";

/** One source of settings. */
export interface Layer {
  readonly source: ConfigLayerSource;
  readonly values: Table;
  /** The file it was read from, for errors that name a line. */
  readonly file: ConfigFile | undefined;
  /** Why it does not count; `undefined` for a layer that does. */
  readonly disabledReason: string | undefined;
}

/** What a user should know about a layer. */
export interface LayerWarning {
  readonly summary: string;
  readonly details: string | null;
  readonly path?: string | undefined;
}

/** A warning as clients hear of it. */
export function wireWarning({ summary, details, path }: LayerWarning): ConfigWarningNotification {
  return { summary, details, ...(path !== undefined && { path }) };
}
