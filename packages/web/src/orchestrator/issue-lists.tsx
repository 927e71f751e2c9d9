import type { ReactNode } from "react";
import { formatCount } from "../items/format.ts";
import { Badge, classNames, type Tone } from "../ui/index.ts";
import { inWords } from "./in-words.ts";
import { agoText, spanText, untilText } from "./use-now.ts";
import type { OrchestratorState } from "./wire.ts";

interface IssueListsProps {
  readonly state: OrchestratorState;
  readonly now: number;
  readonly selected: string | null;
  readonly onSelect: (identifier: string) => void;
}

interface Row {
  readonly identifier: string;
  readonly title: string;
  readonly cells: readonly ReactNode[];
}

/** The issues by what is the matter with them. Those that need a person come first. */
export function IssueLists({ state, now, selected, onSelect }: IssueListsProps): ReactNode {
  const list = (title: string, heads: readonly string[], rows: readonly Row[]): ReactNode => (
    <List title={title} heads={heads} rows={rows} selected={selected} onSelect={onSelect} />
  );
  return (
    <div className="orchestrator-lists">
      {list(
        "Blocked",
        ["Reason", "Since"],
        state.blocked.map((row) => ({
          ...named(row),
          cells: [<Text key="reason">{`${row.reason.code}: ${row.reason.message}`}</Text>, agoText(row.since, now)],
        })),
      )}
      {list(
        "Running",
        ["Phase", "Turns", "Tokens", "For", "Last"],
        state.running.map((row) => ({
          ...named(row),
          cells: [
            inWords(row.phase),
            row.turn_count,
            formatCount(row.tokens.total_tokens),
            spanText(now - Date.parse(row.started_at)),
            <Text key="last">{row.last_message || (row.last_event ?? "")}</Text>,
          ],
        })),
      )}
      {list(
        "Retrying",
        ["Attempt", "Due", "Reason"],
        state.retrying.map((row) => ({
          ...named(row),
          cells: [
            row.attempt,
            untilText(row.due_at, now),
            <Text key="reason">{row.error ?? "Still active: will continue"}</Text>,
          ],
        })),
      )}
      {list(
        "Finished",
        ["Outcome", "State", "Runs", "Tokens", "When"],
        state.finished.map((row) => ({
          ...named(row),
          cells: [
            <Badge key="outcome" tone={outcomeTone(row.outcome)}>
              {inWords(row.outcome)}
            </Badge>,
            row.state,
            row.attempts,
            formatCount(row.tokens.total_tokens),
            agoText(row.finished_at, now),
          ],
        })),
      )}
    </div>
  );
}

interface ListProps {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
  readonly selected: string | null;
  readonly onSelect: (identifier: string) => void;
}

function List({ title, heads, rows, selected, onSelect }: ListProps): ReactNode {
  if (rows.length === 0) return null;
  return (
    <section className="orchestrator-list" aria-label={title}>
      <h2>
        {title} <span className="orchestrator-muted">{rows.length}</span>
      </h2>
      <div className="orchestrator-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Issue</th>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ identifier, title: name, cells }) => (
              <tr key={identifier} className={classNames(identifier === selected && "is-selected")}>
                <th scope="row">
                  <button
                    type="button"
                    className="orchestrator-issue"
                    aria-pressed={identifier === selected}
                    onClick={() => onSelect(identifier)}
                  >
                    <b>{identifier}</b> {name}
                  </button>
                </th>
                {cells.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
                  <td key={index}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Text that somebody wrote, which may be long and without blanks. */
function Text({ children }: { readonly children: string }): ReactNode {
  return <span className="orchestrator-text">{children}</span>;
}

function named(row: { readonly issue_identifier: string; readonly issue_title: string }) {
  return { identifier: row.issue_identifier, title: row.issue_title };
}

/** Success is calm, what somebody decided is neutral, all else wants to be looked at. */
function outcomeTone(outcome: string): Tone {
  if (outcome === "Succeeded") return "success";
  return outcome === "Stopped" || outcome === "CanceledByReconciliation" ? "neutral" : "danger";
}
