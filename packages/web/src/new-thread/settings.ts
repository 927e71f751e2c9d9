import type { ThreadSettingsState } from "@quire/client/view";
import { type Config, compareVersions } from "@quire/protocol";
import { useCallback, useMemo } from "react";
import { useLoaded } from "../side-panel/index.ts";
import { type HubView, useActions } from "../state/index.ts";
import { permissionDefaults } from "./defaults.ts";

/** The settings of a new thread on this server, as far as its configuration names them. */
export function useNewThreadSettings(hub: HubView, cwd: string): ThreadSettingsState {
  const actions = useActions();
  const { id, epoch, state, configRevision } = hub;
  // Asked again after a restart or reconnect; a folder may have a configuration of its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: epoch and revision say that there is something new
  const read = useCallback(async (): Promise<Config | null> => {
    if (state !== "ready") return null;
    return (await actions.request(id, "config/read", { includeLayers: false, ...inFolder(cwd) })).config;
  }, [actions, id, epoch, configRevision, state, cwd]);
  const { value: config } = useLoaded(read);
  const fallback = hub.models.value?.find(({ isDefault }) => isDefault)?.model ?? null;
  return useMemo(
    () => ({
      model: config?.model ?? fallback,
      modelProvider: config?.model_provider ?? null,
      effort: config?.model_reasoning_effort ?? null,
      ...(config === null ? { sandbox: null, approvalPolicy: null } : permissionDefaults(config, cwd)),
      approvalsReviewer: hasReviewer(hub.version) ? (config?.approvals_reviewer ?? "user") : null,
      mode: null,
      cwd,
    }),
    [config, fallback, cwd, hub.version],
  );
}

/** Older servers overlook who is to review. */
const hasReviewer = (version: string | null): boolean => version === null || compareVersions(version, "0.166.0") >= 0;

/** Servers take whole paths only. */
const inFolder = (cwd: string): { cwd?: string } => (/^(?:\/|[A-Za-z]:)/.test(cwd) ? { cwd } : {});
