import { FolderOpen } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import "../items/items.css";
import { ItemContext } from "../items/item-context.ts";
import { showFile, useFileTarget } from "../navigation/file-target.ts";
import { EmptyState, TextInput, Visible } from "../ui/index.ts";
import { fileWords } from "../words/words.ts";
import { type FileSource, useFileSource } from "./file-source.ts";
import { FolderList } from "./file-tree.tsx";
import { FileViewer } from "./file-viewer.tsx";
import "./files.css";

interface FilesPanelProps {
  readonly hub: string;
  /** The thread's folder; empty where there is none yet. */
  readonly cwd: string;
}

/** The files of a thread's folder: as a tree, by name, and each on its own. */
export function FilesPanel({ hub, cwd }: FilesPanelProps): ReactNode {
  const source = useFileSource(hub);
  const target = useFileTarget();
  if (cwd === "" && target === null) {
    return (
      <EmptyState icon={<FolderOpen size={24} />} title={fileWords.noFolder}>
        {fileWords.noFolderHint}
      </EmptyState>
    );
  }
  if (target !== null) {
    const context = { cwd, openThread: null, agentName: () => null, readFile: source.read };
    return (
      <ItemContext value={context}>
        <FileViewer source={source} target={target} cwd={cwd} onBack={() => showFile(null)} />
      </ItemContext>
    );
  }
  return <AllFiles key={cwd} source={source} cwd={cwd} />;
}

function AllFiles({ source, cwd }: { readonly source: FileSource; readonly cwd: string }): ReactNode {
  const [query, setQuery] = useState("");
  const open = (path: string): void => showFile({ path, line: null });
  return (
    <div className="side-panel files">
      <TextInput
        type="search"
        aria-label={fileWords.filter}
        placeholder={fileWords.filter}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      {query.trim() === "" ? (
        <FolderList source={source} folder={cwd} onOpen={open} />
      ) : (
        <Hits source={source} cwd={cwd} query={query.trim()} onOpen={open} />
      )}
    </div>
  );
}

interface HitsProps {
  readonly source: FileSource;
  readonly cwd: string;
  readonly query: string;
  readonly onOpen: (path: string) => void;
}

function Hits({ source, cwd, query, onOpen }: HitsProps): ReactNode {
  const [hits, setHits] = useState<readonly string[] | null>(null);
  useEffect(() => {
    let stale = false;
    source.search(query, cwd).then(
      (found) => stale || setHits(found),
      () => stale || setHits([]),
    );
    return () => {
      stale = true;
    };
  }, [source, cwd, query]);
  if (hits?.length === 0) return <p className="files-note">{fileWords.none}</p>;
  return (
    <ul className="files-list">
      {hits?.map((path) => (
        <li key={path}>
          <button type="button" className="files-entry" onClick={() => onOpen(`${cwd}/${path}`)}>
            <span className="files-name">
              <Visible text={path} oneLine />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
