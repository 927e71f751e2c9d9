import type { TurnState } from "@quire/client/view";
import { Circle, CircleCheck, CircleDot, ListTodo } from "lucide-react";
import { Activity } from "../items/activity.tsx";
import { clipped } from "../items/format.ts";
import { threadWords } from "../words/words.ts";

/** Steps that are shown. */
const maxSteps = 100;

const icons = { completed: CircleCheck, inProgress: CircleDot };
const names: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ completed: "done", inProgress: "in progress", pending: "to do" }),
);

/** The plan of a turn with the status of its steps: open while the turn runs, a line afterwards. */
export function TurnPlan({ turn }: { readonly turn: TurnState }) {
  const { plan } = turn;
  if (plan === null) return null;
  const done = plan.steps.filter((step) => step.status === "completed").length;
  const current = plan.steps.find((step) => step.status === "inProgress");
  return (
    <Activity
      icon={ListTodo}
      title={threadWords.plan}
      detail={current === undefined ? undefined : clipped(current.step, 160)}
      facts={[threadWords.doneOf(done, plan.steps.length)]}
      foldKey={`plan ${turn.id}`}
      initiallyOpen={turn.status === "inProgress"}
    >
      {plan.explanation !== null && plan.explanation !== "" && (
        <p className="items-note">{clipped(plan.explanation, 2000)}</p>
      )}
      <ol className="thread-steps">
        {plan.steps.slice(0, maxSteps).map(({ step, status }, index) => {
          const Icon = icons[status as keyof typeof icons] ?? Circle;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name
            <li key={index} className={`thread-step thread-step-${status}`}>
              <Icon size={14} role="img" aria-label={names.get(status) ?? status} />
              <span>{clipped(step, 500)}</span>
            </li>
          );
        })}
      </ol>
    </Activity>
  );
}
