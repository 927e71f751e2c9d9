import type { Config, ConfigEdit } from "@quire/protocol";
import { useCallback } from "react";
import { type Loaded, useLoaded } from "../side-panel/index.ts";
import { type HubView, useActions } from "../state/index.ts";
import { settingsWords } from "../words/words.ts";

/** A server's configuration, and the way to change it. */
export interface HubConfig extends Loaded<Config> {
  /** Writes the user's file; resolves with a remark where something stronger keeps the change from having an effect. */
  readonly write: (values: Readonly<Record<string, unknown>>) => Promise<string | null>;
}

/** Reads a server's configuration, and writes single values of the user's file. */
export function useConfig({ id, epoch, configRevision }: HubView): HubConfig {
  const actions = useActions();
  // biome-ignore lint/correctness/useExhaustiveDependencies: epoch and revision say that there is something new
  const read = useCallback(
    async () => (await actions.request(id, "config/read", { includeLayers: false })).config,
    [actions, id, epoch, configRevision],
  );
  const config = useLoaded(read);
  const { reload } = config;
  const write = useCallback(
    async (values: Readonly<Record<string, unknown>>): Promise<string | null> => {
      const edits: ConfigEdit[] = Object.entries(values).map(([keyPath, value]) => ({
        keyPath,
        value,
        mergeStrategy: "replace",
      }));
      const { overriddenMetadata } = await actions.request(id, "config/batchWrite", { edits });
      actions.configChanged(id);
      reload();
      return overriddenMetadata ? `${settingsWords.overridden}${overriddenMetadata.message}` : null;
    },
    [actions, id, reload],
  );
  return { ...config, write };
}
