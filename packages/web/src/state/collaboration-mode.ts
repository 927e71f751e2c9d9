import type { CollaborationMode, ModeKind } from "@quire/protocol";
import type { TurnOverrides } from "./actions.ts";
import type { HubStore } from "./hub-store.ts";

/** A mode as turns take it. It brings its own model and effort, which are meant to stay what they are. */
function collaborationMode(
  hub: HubStore,
  thread: string,
  chosen: TurnOverrides & { readonly mode: ModeKind },
): CollaborationMode {
  const { models, modes } = hub.view();
  const settings = hub.open.get(thread)?.snapshot().settings;
  const model = chosen.model ?? settings?.model ?? models.value?.find(({ isDefault }) => isDefault)?.model;
  if (model === undefined) throw new Error("Choose a model first: this server does not say which one it uses.");
  const usual = modes.find(({ mode }) => mode === chosen.mode)?.reasoning_effort;
  const effort = chosen.effort ?? settings?.effort ?? usual ?? null;
  // Without instructions of its own it gets those that the server has for the mode.
  return { mode: chosen.mode, settings: { model, reasoning_effort: effort, developer_instructions: null } };
}

/** Choices for the turns to come, as requests take them. */
export function overridesOnWire(
  hub: HubStore,
  thread: string,
  { mode, ...chosen }: TurnOverrides,
): Omit<TurnOverrides, "mode"> & { readonly collaborationMode?: CollaborationMode } {
  if (mode === undefined) return chosen;
  return { ...chosen, collaborationMode: collaborationMode(hub, thread, { mode, ...chosen }) };
}
