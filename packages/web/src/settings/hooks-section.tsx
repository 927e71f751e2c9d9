import type { HookMetadata } from "@quire/protocol";
import { useCallback } from "react";
import { PanelState, useLoaded } from "../side-panel/index.ts";
import { type HubView, useActions } from "../state/index.ts";
import { Badge, Button, Notice, Switch } from "../ui/index.ts";
import { formWords, extensionWords as words } from "../words/words.ts";
import { useWork } from "./use-work.ts";
import { WorkNotice } from "./work-notice.tsx";

interface HooksSectionProps {
  readonly hub: HubView;
  /** The folder of the thread in view: it may have some of its own. */
  readonly cwd: string | null;
}

/** The hooks of a server and a folder: what runs when, and whether the user trusts it. */
export function HooksSection({ hub: { id }, cwd }: HooksSectionProps) {
  const actions = useActions();
  const load = useCallback(
    async () => (await actions.request(id, "hooks/list", { cwds: cwd === null ? [] : [cwd] })).data,
    [actions, id, cwd],
  );
  const listed = useLoaded(load);
  const work = useWork();
  if (listed.value === null)
    return <PanelState {...listed} failure={formWords.hooksCouldNotListed} onRetry={listed.reload} />;
  const hooks = listed.value.flatMap((entry) => entry.hooks);
  const remarks = listed.value.flatMap(({ warnings, errors }) => [
    ...warnings,
    ...errors.map(({ message }) => message),
  ]);
  const set = (key: string, state: Readonly<Record<string, unknown>>): void =>
    void work.run(async () => {
      const edits = [{ keyPath: "hooks.state", value: { [key]: state }, mergeStrategy: "upsert" as const }];
      await actions.request(id, "config/batchWrite", { edits, reloadUserConfig: true });
      listed.reload();
      return null;
    });
  return (
    <div className="settings-section">
      {remarks.map((remark) => (
        <Notice key={remark} tone="warning">
          {remark}
        </Notice>
      ))}
      {hooks.length === 0 && <p className="side-note">{words.noHooks}</p>}
      <ul className="settings-list">
        {hooks.map((hook) => (
          <HookRow
            key={hook.key}
            hook={hook}
            onTrust={() => set(hook.key, { trusted_hash: hook.currentHash })}
            onEnable={(enabled) => set(hook.key, { enabled })}
          />
        ))}
      </ul>
      <WorkNotice work={work} />
    </div>
  );
}

interface HookRowProps {
  readonly hook: HookMetadata;
  readonly onTrust: () => void;
  readonly onEnable: (enabled: boolean) => void;
}

/** A hook with all of what it runs: that is what one trusts. */
function HookRow({ hook, onTrust, onEnable }: HookRowProps) {
  const runs = actionOf(hook);
  const isTrusted = hook.trustStatus === "trusted" || hook.trustStatus === "managed";
  return (
    <li className="settings-open">
      <div className="settings-item">
        <span className="settings-item-text">
          <span>
            {hook.eventName}
            {hook.matcher ? ` (${hook.matcher})` : ""}
          </span>
          <code>{runs}</code>
          <span className="side-note">{hook.sourcePath}</span>
        </span>
        <Badge tone={isTrusted ? "success" : "warning"}>{words.trusts[hook.trustStatus]}</Badge>
        {!isTrusted && (
          <Button size="small" aria-label={words.trustThis(runs)} onClick={onTrust}>
            {words.trust}
          </Button>
        )}
      </div>
      {!hook.isManaged && <Switch label={words.enable(hook.eventName)} checked={hook.enabled} onChange={onEnable} />}
    </li>
  );
}

function actionOf(hook: HookMetadata): string {
  if ("command" in hook && typeof hook.command === "string") return hook.command;
  if ("tool" in hook && typeof hook.tool === "string") return `${String(hook.server)}: ${hook.tool}`;
  return hook.handlerType;
}
