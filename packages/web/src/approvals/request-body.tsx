import { FilePenLine, FolderOpen, Globe } from "lucide-react";
import { shortPath } from "../app/thread-title.ts";
import "../items/items.css";
import { fileOfChange } from "../items/diff/change-files.ts";
import { FileList } from "../items/diff/file-list.tsx";
import type { Ask, Description } from "./describe.ts";

const icons = { network: Globe, write: FilePenLine, read: FolderOpen };

/** Props of {@link RequestBody}. */
export interface RequestBodyProps {
  readonly about: Description;
  /** The user's home folder, which paths are shown without; null where it is not known. */
  readonly home: string | null;
  readonly foldKey: string;
}

/** What is asked: reason, command, folder, permissions, changes. */
export function RequestBody({ about, home, foldKey }: RequestBodyProps) {
  return (
    <>
      {about.reason !== null && <p className="approvals-reason">{about.reason}</p>}
      {about.command !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className="approvals-command" tabIndex={0}>
          <code>{about.command}</code>
        </pre>
      )}
      {about.data !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className="approvals-command" tabIndex={0}>
          <code>{dataText(about.data)}</code>
        </pre>
      )}
      {about.asks.length > 0 && (
        <ul className="approvals-asks" aria-label="Asked for">
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
          in <span title={about.cwd}>{shortPath(about.cwd, home)}</span>
        </p>
      )}
    </>
  );
}

function AskLine({ ask, home }: { readonly ask: Ask; readonly home: string | null }) {
  const Icon = icons[ask.kind];
  return (
    <li title={ask.path}>
      <Icon size={14} aria-hidden="true" />
      {ask.text}
      {ask.path !== undefined && ` ${shortPath(ask.path, home)}`}
      {ask.until !== undefined && ` ${ask.until}`}
    </li>
  );
}

function dataText(data: unknown): string {
  const text = JSON.stringify(data, null, 2) ?? "";
  return text.length > 4000 ? `${text.slice(0, 4000)}\n…` : text;
}
