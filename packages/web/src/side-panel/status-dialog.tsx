import type { Model } from "@quire/protocol";
import { approvalLabel, sandboxLabel } from "../composer/permissions.ts";
import { formatNumber } from "../items/format.ts";
import type { ThreadState } from "../state/model.ts";
import { Dialog, Meter } from "../ui/index.ts";
import { panelWords } from "../words/words.ts";
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
    <Dialog title={panelWords.status} size="small" onClose={onClose}>
      <div className="side-status">
        <Facts
          rows={[
            [panelWords.server, hubName],
            [panelWords.model, model?.displayName ?? settings.model ?? panelWords.serversDefault],
            [panelWords.provider, settings.modelProvider ?? panelWords.serversDefault],
            [panelWords.effort, settings.effort ?? model?.defaultReasoningEffort ?? "default"],
            [panelWords.folder, settings.cwd],
            [panelWords.branch, summary.branch ?? "none"],
            [panelWords.sandbox, sandboxLabel(settings.sandbox)],
            [panelWords.approvals, approvalLabel(settings.approvalPolicy)],
            [panelWords.thread, summary.key.thread],
            [panelWords.tokens, usage === null ? "none yet" : formatNumber(usage.total.totalTokens)],
          ]}
        />
        {context !== null && <Meter {...context} />}
      </div>
    </Dialog>
  );
}
