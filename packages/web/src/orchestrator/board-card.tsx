import type { ReactNode } from "react";
import { formatCount } from "../items/format.ts";
import { Badge, classNames, type Tone } from "../ui/index.ts";
import { boardWords } from "../words/words.ts";
import { agoText, spanText, untilText } from "./use-now.ts";
import type { Card } from "./wire.ts";

interface BoardCardProps {
  readonly card: Card;
  /** Place among the issues that wait; null for one that is held back, and in other columns. */
  readonly position: number | null;
  readonly now: number;
  readonly isSelected: boolean;
  readonly tabIndex: number;
  readonly onFocus: () => void;
  readonly onSelect: (identifier: string) => void;
}

/** An issue on the board; opens its panel. */
export function BoardCard({ card, position, now, isSelected, tabIndex, onFocus, onSelect }: BoardCardProps): ReactNode {
  return (
    <button
      type="button"
      className={classNames("board-card", isSelected && "is-selected")}
      aria-pressed={isSelected}
      tabIndex={tabIndex}
      onFocus={onFocus}
      onClick={() => onSelect(card.issue_identifier)}
    >
      <span className="board-card-head">
        <b>{card.issue_identifier}</b>
        <PriorityBadge card={card} />
        {card.column === "waiting" && (
          <span className="orchestrator-muted">
            {position === null ? boardWords.held : boardWords.position(position)}
          </span>
        )}
      </span>
      <span className="board-card-title">{card.issue_title}</span>
      {card.reason !== null && card.reason !== "" && <span className="board-card-reason">{card.reason}</span>}
      <span className="board-card-facts">
        <StateBadges card={card} />
        <span>{factsOf(card, now)}</span>
      </span>
    </button>
  );
}

function PriorityBadge({ card: { priority } }: { readonly card: Card }): ReactNode {
  const name = priority === null || priority === 0 ? undefined : boardWords.priorities[priority];
  return name === undefined ? null : <Badge tone={priority === 1 ? "warning" : "neutral"}>{name}</Badge>;
}

/** State of an issue's pull request, where it has one. */
export function StateBadges({ card }: { readonly card: Pick<Card, "checks" | "review"> }): ReactNode {
  const { checks, review } = card;
  return (
    <>
      {checks !== "none" && <Badge tone={checkTones[checks]}>{boardWords.checks[checks]}</Badge>}
      {review !== "none" && (
        <Badge tone={review === "approved" ? "success" : "warning"}>{boardWords.review[review]}</Badge>
      )}
    </>
  );
}

const checkTones = { pending: "neutral", passed: "success", failed: "danger" } satisfies Record<string, Tone>;

function factsOf(card: Card, now: number): string {
  const facts = [card.column === "waiting" || card.column === "finished" ? card.state : "", timeOf(card, now)];
  if (card.usd !== null && card.usd > 0) facts.push(boardWords.usd(card.usd));
  else if (card.tokens > 0) facts.push(boardWords.tokens(formatCount(card.tokens)));
  if (card.runs > 1) facts.push(boardWords.runs(card.runs));
  if (card.host !== null) facts.push(card.host);
  return facts.filter((fact) => fact !== "").join(" · ");
}

function timeOf({ column, since }: Card, now: number): string {
  if (since === null) return "";
  if (column === "retrying") return untilText(since, now);
  return column === "running" ? spanText(now - Date.parse(since)) : agoText(since, now);
}
