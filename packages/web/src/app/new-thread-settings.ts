import type { Config, SandboxPolicy } from "@quire/protocol";
import { useCallback, useMemo } from "react";
import { useLoaded } from "../beside/index.ts";
import { type HubView, type ThreadSettingsState, useActions } from "../state/index.ts";

const policies: Readonly<Record<string, SandboxPolicy>> = {
  "read-only": { type: "readOnly" },
  "workspace-write": { type: "workspaceWrite" },
  "danger-full-access": { type: "dangerFullAccess" },
};

/** What a thread would start with on this server, as far as its configuration says so. */
export function useNewThreadSettings(hub: HubView, cwd: string): ThreadSettingsState {
  const actions = useActions();
  const { id, epoch, state } = hub;
  // A server that was started anew, or is back, is asked anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the epoch says that it is another server
  const read = useCallback(async (): Promise<Config | null> => {
    if (state !== "ready") return null;
    return (await actions.request(id, "config/read", { includeLayers: false })).config;
  }, [actions, id, epoch, state]);
  const { value: config } = useLoaded(read);
  const fallback = hub.models.value?.find(({ isDefault }) => isDefault)?.model ?? null;
  return useMemo(
    () => ({
      model: config?.model ?? fallback,
      modelProvider: config?.model_provider ?? null,
      effort: config?.model_reasoning_effort ?? null,
      sandbox: policies[config?.sandbox_mode ?? ""] ?? null,
      approvalPolicy: config?.approval_policy ?? null,
      mode: null,
      cwd,
    }),
    [config, fallback, cwd],
  );
}
