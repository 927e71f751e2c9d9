import { visibleText } from "@quire/protocol";
import { Button, type ButtonVariant, Kbd, Visible } from "../ui/index.ts";
import { questionWords } from "../words/words.ts";
import type { Choice } from "./choices.ts";
import { useTyping } from "./use-typing.ts";

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
  const typing = useTyping();
  const keys = choices.flatMap(({ hotkey }) => hotkey ?? []);
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
            <span aria-hidden="true" className={typing ? "approvals-unseen" : undefined}>
              <Kbd keys={choice.hotkey} />
            </span>
          )}
        </Button>
      ))}
      {/* Always there, so that no button moves under a click that takes the focus out of a text. */}
      {keys.length > 0 && (
        <span className={`approvals-keys ${typing ? "" : "approvals-unseen"}`}>
          <Kbd keys="Escape" /> {questionWords.thenWord} <Kbd keys={keys.join("+")} />
        </span>
      )}
    </div>
  );
}
