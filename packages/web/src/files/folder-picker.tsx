import { ArrowUp, Folder } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { cloneScript } from "../scripts/clone-script.ts";
import { succeeded } from "../scripts/run-script.ts";
import { scriptRunner } from "../state/checkpoints.ts";
import { messageOf, useActions } from "../state/index.ts";
import { Button, Checkbox, Dialog, IconButton, Notice, Spinner, TextInput, Visible } from "../ui/index.ts";
import { fileWords } from "../words/words.ts";
import { type Entry, type FileSource, useFileSource } from "./file-source.ts";
import "./files.css";

interface FolderPickerProps {
  readonly hub: string;
  /** The folder to begin in. */
  readonly start: string;
  readonly onChoose: (folder: string) => void;
  readonly onClose: () => void;
}

/** Chooses a folder of a server's machine, or clones a repository into one. */
export function FolderPicker({ hub, start, onChoose, onClose }: FolderPickerProps): ReactNode {
  const source = useFileSource(hub);
  const [folder, setFolder] = useState(start);
  const choose = (path: string): void => {
    onChoose(path);
    onClose();
  };
  return (
    <Dialog
      title={fileWords.chooseFolder}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={() => choose(folder)}>
          {fileWords.choose}
        </Button>
      }
    >
      <div className="files-picker">
        <div className="files-head">
          <IconButton
            label={fileWords.up}
            icon={<ArrowUp size={16} />}
            disabled={folder === "/"}
            onClick={() => setFolder(folder.replace(/\/[^/]*$/, "") || "/")}
          />
          <span className="files-path files-where" title={folder}>
            <Visible text={folder} oneLine />
          </span>
        </div>
        <Folders source={source} folder={folder} onOpen={setFolder} />
        <CloneForm hub={hub} folder={folder} onCloned={choose} />
      </div>
    </Dialog>
  );
}

interface FoldersProps {
  readonly source: FileSource;
  readonly folder: string;
  readonly onOpen: (path: string) => void;
}

function Folders({ source, folder, onOpen }: FoldersProps): ReactNode {
  const [found, setFound] = useState<{ readonly folder: string; readonly entries: readonly Entry[] } | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    let stale = false;
    setError(null);
    source.list(folder).then(
      (entries) => stale || setFound({ folder, entries: entries.filter(({ isFolder }) => isFolder) }),
      (reason: unknown) => stale || setError(messageOf(reason)),
    );
    return () => {
      stale = true;
    };
  }, [source, folder]);
  if (error !== null) return <Notice tone="danger">{error}</Notice>;
  if (found?.folder !== folder) return <Spinner label={fileWords.loading} />;
  const shown = found.entries.filter(({ name }) => hidden || !name.startsWith("."));
  return (
    <>
      {shown.length === 0 ? (
        <p className="files-note">{fileWords.noFolders}</p>
      ) : (
        <ul className="files-list files-choices" aria-label={folder}>
          {shown.map(({ name, path }) => (
            <li key={path}>
              <button type="button" className="files-entry" onClick={() => onOpen(path)}>
                <Folder size={14} aria-hidden="true" />
                <span className="files-name">
                  <Visible text={name} oneLine />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {found.entries.some(({ name }) => name.startsWith(".")) && (
        <Checkbox label={fileWords.hidden} checked={hidden} onChange={setHidden} />
      )}
    </>
  );
}

interface CloneFormProps {
  readonly hub: string;
  readonly folder: string;
  readonly onCloned: (path: string) => void;
}

function CloneForm({ hub, folder, onCloned }: CloneFormProps): ReactNode {
  const actions = useActions();
  const [url, setUrl] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const clone = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const run = scriptRunner((params) => actions.exec(hub, { ...params, timeoutMs: cloneMs }), folder);
      const { stdout } = await succeeded(run(cloneScript, { env: { URL: url.trim() } }));
      onCloned(stdout.trim());
    } catch (reason) {
      setError(messageOf(reason));
      setBusy(false);
    }
  };
  return (
    <form className="files-clone" onSubmit={(event) => void clone(event)}>
      <h3>{fileWords.clone}</h3>
      <div className="files-head">
        <TextInput
          aria-label={fileWords.address}
          placeholder="https://github.com/owner/name.git"
          autoComplete="off"
          spellCheck={false}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Button type="submit" busy={busy} disabled={url.trim() === ""}>
          {fileWords.cloneStart}
        </Button>
      </div>
      {error !== null && <Notice tone="danger">{error}</Notice>}
    </form>
  );
}

/** Time for a large repository. */
const cloneMs = 1_800_000;
