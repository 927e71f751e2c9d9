import { visibleText } from "@quire/protocol";
import { Button, type ButtonVariant, Kbd, Visible } from "../ui/index.ts";
import type { Choice } from "./choices.ts";

const variants: Readonly<Record<Choice["role"], ButtonVariant>> = {
  approve: "primary",
  approveMore: "secondary",
  decline: "secondary",
  stop: "danger",
};

interface ChoiceButtonsProps {
  readonly choices: readonly Choice[];
  readonly busy: boolean;
  readonly onChoose: (choice: Choice) => void;
}

/** A button for each answer: first those that allow, then those that refuse, then those that keep a rule. */
export function ChoiceButtons({ choices, busy, onChoose }: ChoiceButtonsProps) {
  return (
    <div className="approvals-actions">
      {choices.map((choice) => (
        <Button
          key={choice.id}
          variant={variants[choice.role]}
          disabled={busy}
          aria-keyshortcuts={choice.hotkey}
          title={visibleText(choice.label, { oneLine: true })}
          className="approvals-choice"
          onClick={() => onChoose(choice)}
        >
          <span className="approvals-choice-text">
            <Visible text={choice.label} oneLine />
          </span>
          {choice.hotkey !== undefined && (
            <span aria-hidden="true">
              <Kbd keys={choice.hotkey} />
            </span>
          )}
        </Button>
      ))}
    </div>
  );
}
