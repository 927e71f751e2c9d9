import { FilePenLine, FolderOpen, Globe } from "lucide-react";
import { shortPath } from "../state/thread-title.ts";
import { questionWords } from "../words/words.ts";
import "../items/items.css";
import { fileOfChange } from "../items/diff/change-files.ts";
import { FileList } from "../items/diff/file-list.tsx";
import { revealed } from "../items/format.ts";
import { Visible } from "../ui/index.ts";
import type { Ask, Description } from "./describe.ts";
import { WholeText } from "./whole-text.tsx";

const icons = { network: Globe, write: FilePenLine, read: FolderOpen };

interface RequestBodyProps {
  readonly about: Description;
  /** The user's home folder, which paths are shown without; null where it is not known. */
  readonly home: string | null;
  readonly foldKey: string;
}

/** The body of a question: reason, command or input, folder, permissions, changes. */
export function RequestBody({ about, home, foldKey }: RequestBodyProps) {
  return (
    <>
      {about.quotes.map(({ from, text }) => (
        <figure key={from} className="approvals-quote">
          <figcaption>{from}</figcaption>
          <blockquote>
            <Visible text={text} />
          </blockquote>
        </figure>
      ))}
      {about.hint !== null && <p className="approvals-hint">{about.hint}</p>}
      {about.command !== null && <WholeText text={about.command} />}
      {about.input !== null && <WholeText text={about.input} isTyped />}
      {about.program !== null && (
        <>
          <p className="approvals-cwd">{questionWords.intoProgramStarted}</p>
          <WholeText text={about.program} />
        </>
      )}
      {about.data !== undefined && <WholeText text={JSON.stringify(about.data, null, 2) ?? ""} />}
      {about.asks.length > 0 && (
        <ul className="approvals-asks" aria-label={questionWords.asked}>
          {about.asks.map((ask) => (
            <AskLine key={`${ask.text} ${ask.path}`} ask={ask} home={home} />
          ))}
        </ul>
      )}
      {about.changes.length > 0 && (
        <FileList files={about.changes.map(fileOfChange)} foldKey={foldKey} opened={about.changes.length === 1} />
      )}
      {about.cwd !== null && (
        <p className="approvals-cwd">
          {questionWords.inWord}{" "}
          <span title={revealed(about.cwd)}>
            <Visible text={shortPath(about.cwd, home)} oneLine />
          </span>
        </p>
      )}
    </>
  );
}

function AskLine({ ask, home }: { readonly ask: Ask; readonly home: string | null }) {
  const Icon = icons[ask.kind];
  return (
    <li title={ask.path === undefined ? undefined : revealed(ask.path)}>
      <Icon size={14} aria-hidden="true" />
      <Visible text={ask.text} oneLine />
      {ask.path !== undefined && (
        <>
          {" "}
          <Visible text={shortPath(ask.path, home)} oneLine />
        </>
      )}
      {ask.until !== undefined && ` ${ask.until}`}
    </li>
  );
}
