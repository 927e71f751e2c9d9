import { approvalChoices, sandboxChoices } from "../composer/permissions.ts";
import { PanelState } from "../side-panel/index.ts";
import type { HubView } from "../state/index.ts";
import { Field, Select, Switch } from "../ui/index.ts";
import { formWords, permissionWords as words } from "../words/words.ts";
import { useConfig } from "./use-config.ts";
import { useWork } from "./use-work.ts";
import { WorkNotice } from "./work-notice.tsx";

/** Names of sandboxes in the configuration, from the safest on. */
const modes = { readOnly: "read-only", workspaceWrite: "workspace-write", dangerFullAccess: "danger-full-access" };

/** Permissions with which new threads of a server begin. */
export function PermissionsSection({ hub }: { readonly hub: HubView }) {
  const config = useConfig(hub);
  const work = useWork();
  const { value } = config;
  if (value === null)
    return <PanelState {...config} failure={formWords.settingsCouldNotRead} onRetry={config.reload} />;
  const set = (values: Readonly<Record<string, unknown>>): void => void work.run(() => config.write(values));
  const unset = { value: "", label: words.serverDefault };
  const policy = typeof value.approval_policy === "string" ? value.approval_policy : "";
  return (
    <div className="settings-section">
      <p className="side-note">{words.intro}</p>
      <Field
        label={words.sandbox}
        hint={sandboxChoices.find(({ id }) => nameOf(id) === value.sandbox_mode)?.description}
      >
        {(control) => (
          <Select
            {...control}
            value={value.sandbox_mode ?? ""}
            options={[unset, ...sandboxChoices.map(({ id, label }) => ({ value: nameOf(id), label }))]}
            onChange={(mode) => set({ sandbox_mode: mode === "" ? null : mode })}
          />
        )}
      </Field>
      <Switch
        label={words.network}
        checked={value.sandbox_workspace_write?.network_access === true}
        onChange={(wanted) => set({ "sandbox_workspace_write.network_access": wanted })}
      />
      <Field label={words.approvals} hint={approvalChoices.find(({ id }) => id === policy)?.description}>
        {(control) => (
          <Select
            {...control}
            value={policy}
            options={[unset, ...approvalChoices.map(({ id, label }) => ({ value: id, label }))]}
            onChange={(chosen) => set({ approval_policy: chosen === "" ? null : chosen })}
          />
        )}
      </Field>
      <Field label={words.reviewer} hint={words.reviewerHint}>
        {(control) => (
          <Select
            {...control}
            value={
              value.approvals_reviewer === "guardian_subagent" ? "auto_review" : (value.approvals_reviewer ?? "user")
            }
            options={Object.entries(words.reviewers).map(([id, label]) => ({ value: id, label }))}
            onChange={(reviewer) => set({ approvals_reviewer: reviewer })}
          />
        )}
      </Field>
      <WorkNotice work={work} />
    </div>
  );
}

const nameOf = (id: string): string => modes[id as keyof typeof modes] ?? id;
