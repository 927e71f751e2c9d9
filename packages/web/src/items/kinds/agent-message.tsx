import { classNames } from "../../ui/class-names.ts";
import { itemWords } from "../../words/words.ts";
import { CopyButton, LinkButton } from "../copy-button.tsx";
import { baseName, plural } from "../format.ts";
import type { ItemProps } from "../item-props.ts";
import { Markdown, MarkdownSegment } from "../markdown/markdown.tsx";
import { continuesAt } from "../markdown/segments.ts";

interface AgentMessageProps extends ItemProps<"agentMessage"> {
  /** The part of the text to show, for a long message in several rows. The last has no end. */
  readonly part?: MessagePart | undefined;
}

/** A stretch of a long message. */
export interface MessagePart {
  readonly start: number;
  readonly end: number | null;
}

/** A message of the agent. While it streams, only the end of the text is rendered again. */
export function AgentMessage({ item, state, part }: AgentMessageProps) {
  const isEnd = part === undefined || part.end === null;
  const foldKey = `${item.id}/${part?.start ?? 0}`;
  const live = !state.done && isEnd;
  return (
    <div
      className={classNames(
        "items-agent",
        item.phase === "commentary" && "items-commentary",
        part !== undefined && continuesAt(item.text, part.start) && "items-continues",
        part?.end != null && continuesAt(item.text, part.end) && "items-continued",
      )}
    >
      {part === undefined ? (
        <Markdown text={item.text} live={live} foldKey={foldKey} />
      ) : (
        <MarkdownSegment text={item.text.slice(part.start, part.end ?? undefined)} live={live} foldKey={foldKey} />
      )}
      {isEnd && <Extras item={item} />}
      {isEnd && state.done && item.text !== "" && (
        <div className="items-hover-actions">
          <CopyButton label={itemWords.copyMessage} text={() => item.text} />
          <LinkButton itemId={item.id} />
        </div>
      )}
    </div>
  );
}

function Extras({ item: { questions, memoryCitation } }: { readonly item: ItemProps<"agentMessage">["item"] }) {
  const entries = memoryCitation?.entries ?? [];
  return (
    <>
      {questions?.map((question) => (
        <div key={question.title} className="items-question">
          {question.title}
          {question.options != null && (
            <ul>
              {question.options.map((option) => (
                <li key={option}>{option}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
      {entries.length > 0 && (
        <p className="items-note" title={entries.map(({ path, note }) => `${path}: ${note}`).join("\n")}>
          {itemWords.from} {plural(entries.length, "memory", "memories")}:{" "}
          {entries.map(({ path, lineStart }) => `${baseName(path)}:${lineStart}`).join(", ")}
        </p>
      )}
    </>
  );
}
