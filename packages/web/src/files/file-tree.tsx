import { ChevronRight, FileText, Folder } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { messageOf } from "../state/index.ts";
import { Notice, Spinner, Visible } from "../ui/index.ts";
import { fileWords } from "../words/words.ts";
import type { Entry, FileSource } from "./file-source.ts";

/** Entries of a folder that are shown before the user asks for all. */
const shownEntries = 300;

interface FolderListProps {
  readonly source: FileSource;
  readonly folder: string;
  readonly onOpen: (path: string) => void;
}

/** The entries of a folder; folders among them open in place. */
export function FolderList({ source, folder, onOpen }: FolderListProps): ReactNode {
  const [entries, setEntries] = useState<readonly Entry[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  useEffect(() => {
    let stale = false;
    source.list(folder).then(
      (found) => stale || setEntries(found.filter(({ name }) => name !== ".git")),
      (reason: unknown) => stale || setError(messageOf(reason)),
    );
    return () => {
      stale = true;
    };
  }, [source, folder]);
  if (error !== null) return <Notice tone="danger">{error}</Notice>;
  if (entries === null) return <Spinner label={fileWords.loading} />;
  if (entries.length === 0) return <p className="files-note">{fileWords.empty}</p>;
  const shown = all ? entries : entries.slice(0, shownEntries);
  return (
    <ul className="files-list">
      {shown.map((entry) => (
        <li key={entry.name}>
          {entry.isFolder ? (
            <FolderEntry entry={entry} source={source} onOpen={onOpen} />
          ) : (
            <button type="button" className="files-entry" onClick={() => onOpen(entry.path)}>
              <FileText size={14} aria-hidden="true" />
              <span className="files-name">
                <Visible text={entry.name} oneLine />
              </span>
            </button>
          )}
        </li>
      ))}
      {shown.length < entries.length && (
        <li>
          <button type="button" className="items-more" onClick={() => setAll(true)}>
            {fileWords.more(entries.length - shown.length)}
          </button>
        </li>
      )}
    </ul>
  );
}

interface FolderEntryProps {
  readonly entry: Entry;
  readonly source: FileSource;
  readonly onOpen: (path: string) => void;
}

function FolderEntry({ entry, source, onOpen }: FolderEntryProps): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="files-entry" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={14} aria-hidden="true" className="items-chevron" />
        <Folder size={14} aria-hidden="true" />
        <span className="files-name">
          <Visible text={entry.name} oneLine />
        </span>
      </button>
      {open && <FolderList source={source} folder={entry.path} onOpen={onOpen} />}
    </>
  );
}
