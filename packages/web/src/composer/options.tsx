import type { ThreadSettingsState } from "@quire/client/view";
import { SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import type { TurnOverrides } from "../state/actions.ts";
import { Button, Sheet } from "../ui/index.ts";
import { composeWords } from "../words/words.ts";
import { approvalLabel, riskOf, sandboxLabel } from "./permissions.ts";

interface OptionsProps {
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly settings: ThreadSettingsState;
  readonly overrides: TurnOverrides;
  /** The pickers. */
  readonly children: ReactNode;
}

/** Puts the pickers behind one button: a phone has no room for it beside Stop and Send. */
export function Options({ open, onOpen, settings, overrides, children }: OptionsProps) {
  const sandbox = overrides.sandboxPolicy ?? settings.sandbox;
  const approval = overrides.approvalPolicy ?? settings.approvalPolicy;
  const words = [sandboxLabel(sandbox), approvalLabel(approval)];
  return (
    <div className="composer-pickers">
      <Button
        variant="ghost"
        size="small"
        className={`composer-picker composer-options-button is-${riskOf(sandbox, approval)}`}
        icon={<SlidersHorizontal size={16} aria-hidden="true" />}
        aria-label={`Options: ${words.join(", ")}`}
        aria-haspopup="dialog"
        onClick={() => onOpen(true)}
      >
        <span className="composer-picker-value">{words[0]}</span>
      </Button>
      {open && (
        <Sheet label={composeWords.options} side="bottom" onClose={() => onOpen(false)}>
          <div className="composer-options">
            {children}
            <Button variant="primary" onClick={() => onOpen(false)}>
              {composeWords.done}
            </Button>
          </div>
        </Sheet>
      )}
    </div>
  );
}
