import { Circle, CircleCheck, CircleDot, ListTodo } from "lucide-react";
import type { ThreadState } from "../state/model.ts";
import { EmptyState } from "../ui/index.ts";
import { panelWords } from "../words/words.ts";

const icons = { completed: CircleCheck, inProgress: CircleDot, pending: Circle };
const words = { completed: "done", inProgress: "in progress", pending: "to do" };

/** The plan of the newest turn that has one. */
export function PlanPanel({ thread }: { readonly thread: ThreadState }) {
  const plan = thread.turns.findLast((turn) => turn.plan !== null)?.plan;
  if (plan === undefined || plan === null || plan.steps.length === 0) {
    return (
      <EmptyState icon={<ListTodo size={24} />} title={panelWords.noPlanYet}>
        {panelWords.largerTasksAgentWritesDown}
      </EmptyState>
    );
  }
  const done = plan.steps.filter((step) => step.status === "completed").length;
  return (
    <div className="side-panel">
      <p className="side-note">
        {done} {panelWords.of} {plan.steps.length} {panelWords.stepsDone}
      </p>
      {plan.explanation !== null && plan.explanation !== "" && <p className="side-text">{plan.explanation}</p>}
      <ol className="side-plan">
        {plan.steps.map((step, index) => {
          const status = step.status in icons ? (step.status as keyof typeof icons) : "pending";
          const Icon = icons[status];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have the same words
            <li key={index} className={`is-${status}`}>
              <Icon size={16} aria-label={words[status]} role="img" />
              <span>{step.step}</span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
