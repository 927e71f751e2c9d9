import type { ConfigLayerSource, ConfigWarningNotification } from "@quire/protocol";
import type { Table } from "../lib/table.ts";
import type { ConfigFile } from "./config-files.ts";

/** A source of settings. */
export interface Layer {
  readonly source: ConfigLayerSource;
  readonly values: Table;
  /** For errors that name a line. */
  readonly file: ConfigFile | undefined;
  /** The reason why the layer is ignored. */
  readonly disabledReason: string | undefined;
}

/** A warning to the user about a layer. */
export interface LayerWarning {
  readonly summary: string;
  readonly details: string | null;
  readonly path?: string | undefined;
}

/** A warning as clients hear of it. */
export function wireWarning({ summary, details, path }: LayerWarning): ConfigWarningNotification {
  return { summary, details, ...(path !== undefined && { path }) };
}
