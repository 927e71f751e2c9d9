import type { ThreadItem } from "@quire/protocol";
import { CircleCheck, CircleHelp, CircleSlash } from "lucide-react";
import type { PendingRequest } from "../state/model.ts";
import { refused } from "../state/pending-requests.ts";
import { Badge, Visible } from "../ui/index.ts";
import { questionWords } from "../words/words.ts";
import "./approvals.css";
import { type Description, describe, type Quote } from "./describe.ts";
import { RequestBody } from "./request-body.tsx";
import { askedOf } from "./request-kind.ts";

interface RequestCardProps {
  readonly request: PendingRequest;
  /** The item it is about, where that is in the stream: what it shows is not shown a second time. */
  readonly item?: ThreadItem | undefined;
  /** The user's home folder, where it is known. */
  readonly home?: string | null | undefined;
  /** Name of the sub-agent that asks; null for the thread in view itself. */
  readonly agent?: string | null | undefined;
}

/**
 * A question in the stream, at the place where it was asked: what it asks, and once it is answered, what the answer was
 * and where it came from. It is answered in the bar below, so that there is one place for it. While it waits, and the
 * item that it is about says so and shows all that there is to it, nothing is said twice.
 */
export function RequestCard({ request, item, home = null, agent = null }: RequestCardProps) {
  const about = describe(request, item);
  const { answered } = request;
  const Icon = answered === null ? CircleHelp : refused.test(answered.label) ? CircleSlash : CircleCheck;
  const shown =
    item === undefined ? { ...about, quotes: [...about.quotes, ...questionsOf(request)] } : withoutItem(about);
  if (answered === null && item !== undefined && saysThatItWaits.has(item.type) && isEmpty(shown)) return null;
  return (
    <article className={`approvals-card ${answered === null ? "is-waiting" : ""}`} aria-label={about.title}>
      <header className="approvals-head">
        <Icon size={14} aria-hidden="true" />
        <span className="approvals-title">
          <Visible text={about.title} oneLine />
        </span>
        {agent !== null && (
          <Badge>
            {questionWords.agent} <Visible text={agent} oneLine />
          </Badge>
        )}
        <span className="approvals-state">
          {answered === null ? (
            questionWords.waitsAnswerBelow
          ) : (
            <Visible text={`${answered.label}${answered.byMe ? questionWords.byYou : ""}`} />
          )}
        </span>
      </header>
      <RequestBody about={shown} home={home} foldKey={request.id} />
    </article>
  );
}

/** Kinds of items whose line says that they wait for an answer. */
const saysThatItWaits: ReadonlySet<string> = new Set([
  "commandExecution",
  "fileChange",
  "mcpToolCall",
  "dynamicToolCall",
]);

const isEmpty = ({ quotes, asks, data, input }: Description): boolean =>
  quotes.length === 0 && asks.length === 0 && data === undefined && input === null;

/** Leaves out what the item shows already. */
const withoutItem = (about: Description): Description => ({
  ...about,
  command: null,
  program: null,
  cwd: null,
  changes: [],
});

/** The questions of the agent, which are in the bar only while they wait. */
function questionsOf(request: PendingRequest): readonly Quote[] {
  const asked = askedOf(request);
  if (asked.kind !== "questions") return [];
  return [{ from: "Asked", text: asked.params.questions.map(({ question }) => question).join("\n") }];
}
