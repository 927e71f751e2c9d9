import { shellScript } from "@quire/protocol";
import { FileText, FolderOpen, type LucideIcon, Search, SquareTerminal } from "lucide-react";
import { itemWords } from "../../words/words.ts";
import { Activity, type ActivityStatus } from "../activity.tsx";
import { OutputView } from "../ansi/output-view.tsx";
import { CommandText } from "../command-text.tsx";
import { commandTitle } from "../command-title.ts";
import { CopyButton } from "../copy-button.tsx";
import { relativePath } from "../format.ts";
import { useItemContext } from "../item-context.ts";
import { itemDuration } from "../item-duration.ts";
import type { ItemProps } from "../item-props.ts";

const icons: Readonly<Record<string, LucideIcon>> = {
  run: SquareTerminal,
  read: FileText,
  list: FolderOpen,
  search: Search,
};
const statuses: Readonly<Record<string, ActivityStatus>> = {
  inProgress: "running",
  completed: "done",
  failed: "failed",
  declined: "declined",
};

interface CommandProps extends ItemProps<"commandExecution"> {
  /** Its turn was stopped. */
  readonly stopped?: boolean | undefined;
}

/** Exit codes of a program that was told to end. */
const endings: ReadonlySet<number> = new Set([-1, 130, 137, 143]);

/** A command: what was run and where, its output while it comes, how it ended and how long it took. */
export function CommandExecution({ item, state, waiting = false, stopped = false }: CommandProps) {
  const { cwd } = useItemContext();
  const wasStopped =
    stopped && item.status !== "declined" && (item.exitCode == null || endings.has(item.exitCode)) && state.done;
  const status = wasStopped ? "done" : (statuses[item.status] ?? "done");
  const failed = !wasStopped && (status === "failed" || (item.exitCode ?? 0) !== 0);
  const running = status === "running" && !state.done;
  const asks = running && waiting;
  const phase = asks || status === "declined" ? "notRun" : running ? "running" : "done";
  const { kind, title, detail } = commandTitle(item.command, item.commandActions ?? [], phase);
  const output = item.aggregatedOutput ?? "";
  const facts = [
    item.source === "userShell" && "by you",
    wasStopped && "stopped",
    !wasStopped && item.exitCode != null && item.exitCode !== 0 && (
      <span className="items-bad">
        {itemWords.exit} {item.exitCode}
      </span>
    ),
    // What was not run took no time: what passed is how long the question waited.
    ...(status === "declined" ? [] : itemDuration(state, item.durationMs)),
  ].filter((fact) => fact !== false);
  return (
    <Activity
      icon={icons[kind] ?? SquareTerminal}
      title={title}
      detail={<code>{detail}</code>}
      status={asks ? "waiting" : running ? "running" : failed && status === "done" ? "failed" : status}
      statusText={item.exitCode != null || (running && !asks) ? null : undefined}
      facts={facts}
      foldKey={item.id}
      initiallyOpen={kind === "run" && ((running && !asks) || failed)}
      actions={<CopyButton label={itemWords.copyCommand} text={() => shellScript(item.command)} />}
    >
      <div className="items-terminal">
        {item.cwd !== cwd && <p className="items-note">{relativePath(item.cwd, cwd)}</p>}
        <CommandText command={shellScript(item.command)} />
        {state.clipped && <p className="items-note">{itemWords.beginningOutputDropped}</p>}
        {output !== "" && <OutputView text={output} live={running} foldKey={`${item.id}/output`} />}
        {output === "" && !running && (
          <p className="items-note">{status === "declined" ? itemWords.notRun : itemWords.noOutput}</p>
        )}
      </div>
    </Activity>
  );
}
