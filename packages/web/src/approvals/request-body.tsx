import { FilePenLine, FolderOpen, Globe } from "lucide-react";
import "../items/items.css";
import { fileOfChange } from "../items/diff/change-files.ts";
import { FileList } from "../items/diff/file-list.tsx";
import type { Ask, Description } from "./describe.ts";

const icons = { network: Globe, write: FilePenLine, read: FolderOpen };

/** What is asked: reason, command, folder, permissions, changes. */
export function RequestBody({ about, foldKey }: { readonly about: Description; readonly foldKey: string }) {
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
            <AskLine key={ask.text} ask={ask} />
          ))}
        </ul>
      )}
      {about.changes.length > 0 && (
        <FileList files={about.changes.map(fileOfChange)} foldKey={foldKey} opened={about.changes.length === 1} />
      )}
      {about.cwd !== null && (
        <p className="approvals-cwd">
          in <span>{about.cwd}</span>
        </p>
      )}
    </>
  );
}

function AskLine({ ask }: { readonly ask: Ask }) {
  const Icon = icons[ask.kind];
  return (
    <li>
      <Icon size={14} aria-hidden="true" />
      {ask.text}
    </li>
  );
}

function dataText(data: unknown): string {
  const text = JSON.stringify(data, null, 2) ?? "";
  return text.length > 4000 ? `${text.slice(0, 4000)}\n…` : text;
}
