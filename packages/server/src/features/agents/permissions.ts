import type { TurnSettings } from "../../record/turn-settings.ts";
import { changeSettings } from "../../thread/apply-settings.ts";
import type { Thread } from "../../thread/thread.ts";

/** True when an agent may do what its parent may, no more and no less. */
export function hasPermissionsOf(parent: TurnSettings, child: TurnSettings): boolean {
  return Bun.deepEquals(picked(parent), picked(child));
}

/** Gives an agent that rests what its parent may do now: it may have been started when that was more. */
export function givePermissions({ settings: parent }: Thread, child: Thread): void {
  if (hasPermissionsOf(parent, child.settings)) return;
  changeSettings(child, { ...child.settings, ...picked(parent) })?.();
}

function picked(settings: TurnSettings): Partial<TurnSettings> {
  const { cwd, runtimeWorkspaceRoots, environment, approvalPolicy, approvalsReviewer, sandboxPolicy } = settings;
  const { permissionProfile } = settings;
  return {
    cwd,
    runtimeWorkspaceRoots,
    approvalPolicy,
    approvalsReviewer,
    sandboxPolicy,
    permissionProfile: permissionProfile ?? null,
    environment,
  };
}
