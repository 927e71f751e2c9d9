import { codexErrorKind, type UserInput } from "@quire/protocol";
import { Hammer, RotateCcw, Scissors } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { TurnOverrides } from "../state/actions.ts";
import { messageOf } from "../state/message-of.ts";
import type { ThreadState } from "../state/model.ts";
import { Button, Notice } from "../ui/index.ts";
import { threadWords } from "../words/words.ts";

interface NextStepProps {
  readonly thread: ThreadState;
  /** Nothing can be sent now. */
  readonly disabled: boolean;
  readonly onCompact: () => Promise<void>;
  readonly onSend: (input: readonly UserInput[], overrides: TurnOverrides) => Promise<void>;
}

interface Step {
  readonly label: string;
  readonly icon: ReactNode;
  readonly take: () => Promise<void>;
}

/** The step that most often follows a turn, as a button: making room, sending again what failed, carrying out a plan. */
export function NextStep(props: NextStepProps): ReactNode {
  const { thread, disabled } = props;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const step = disabled || thread.activeTurn !== null || thread.loading ? null : stepAfter(props);
  if (step === null) return null;
  const take = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await step.take();
    } catch (reason) {
      setError(messageOf(reason));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="thread-next">
      <Button busy={busy} icon={step.icon} onClick={() => void take()}>
        {step.label}
      </Button>
      {error !== null && <Notice tone="danger">{error}</Notice>}
    </div>
  );
}

function stepAfter({ thread: { turns, items, settings }, onSend, onCompact }: NextStepProps): Step | null {
  const turn = turns.at(-1);
  if (turn === undefined) return null;
  const ofTurn = turn.itemIds.map((id) => items.get(id)?.item);
  if (turn.status === "failed" && codexErrorKind(turn.error?.codexErrorInfo) === "contextWindowExceeded") {
    return { label: threadWords.compactThread, icon: <Scissors size={14} aria-hidden="true" />, take: onCompact };
  }
  if (turn.status === "failed") {
    const asked = ofTurn.findLast((item) => item?.type === "userMessage");
    if (asked?.type !== "userMessage" || asked.content.length === 0) return null;
    const icon = <RotateCcw size={14} aria-hidden="true" />;
    return { label: threadWords.retry, icon, take: () => onSend(asked.content, {}) };
  }
  if (turn.status !== "completed" || settings.mode !== "plan" || !ofTurn.some((item) => item?.type === "plan"))
    return null;
  return {
    label: threadWords.implementThisPlan,
    icon: <Hammer size={14} aria-hidden="true" />,
    take: () => onSend([{ type: "text", text: threadWords.implementPlan, text_elements: [] }], { mode: "default" }),
  };
}
