import type { Model } from "@quire/protocol";
import { approvalLabel, sandboxLabel } from "../composer/permissions.ts";
import { formatNumber } from "../items/format.ts";
import type { ThreadState } from "../state/model.ts";
import { Dialog, Meter } from "../ui/index.ts";
import { Facts } from "./panel.tsx";
import "./side-panel.css";
import { contextBar } from "./usage.ts";

interface StatusDialogProps {
  readonly thread: ThreadState;
  readonly models: readonly Model[];
  readonly hubName: string;
  readonly onClose: () => void;
}

/** The `/status` dialog. */
export function StatusDialog({ thread, models, hubName, onClose }: StatusDialogProps) {
  const { settings, summary, usage } = thread;
  const model = models.find((each) => each.model === settings.model);
  const context = contextBar(usage);
  return (
    <Dialog title="Status" size="small" onClose={onClose}>
      <div className="side-status">
        <Facts
          rows={[
            ["Server", hubName],
            ["Model", model?.displayName ?? settings.model ?? "the server's default"],
            ["Provider", settings.modelProvider ?? "the server's default"],
            ["Effort", settings.effort ?? model?.defaultReasoningEffort ?? "default"],
            ["Folder", settings.cwd],
            ["Branch", summary.branch ?? "none"],
            ["Sandbox", sandboxLabel(settings.sandbox)],
            ["Approvals", approvalLabel(settings.approvalPolicy)],
            ["Thread", summary.key.thread],
            ["Tokens", usage === null ? "none yet" : formatNumber(usage.total.totalTokens)],
          ]}
        />
        {context !== null && <Meter {...context} />}
      </div>
    </Dialog>
  );
}
