import { ArrowLeft, Copy, SquareArrowOutUpRight } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { CodeLine } from "../items/code/code-line.tsx";
import { languageOfPath } from "../items/code/languages.ts";
import { useHighlighted } from "../items/code/use-highlighted.ts";
import { baseName, relativePath } from "../items/format.ts";
import { isPicture, Picture } from "../items/picture.tsx";
import { WindowedLines } from "../items/windowed-lines.tsx";
import type { FileTarget } from "../navigation/file-target.ts";
import { messageOf } from "../state/index.ts";
import { IconButton, Menu, Notice, Spinner, Visible } from "../ui/index.ts";
import { fileWords } from "../words/words.ts";
import { type Editor, editorHref, editors, keepEditor, lastEditor } from "./editors.ts";
import type { FileSource } from "./file-source.ts";

interface FileViewerProps {
  readonly source: FileSource;
  readonly target: FileTarget;
  readonly cwd: string;
  readonly onBack: () => void;
}

/** A file: its text with colours and line numbers, or its picture. */
export function FileViewer({ source, target, cwd, onBack }: FileViewerProps): ReactNode {
  const { path } = target;
  const shown = relativePath(path, cwd);
  return (
    <section className="files-viewer" aria-label={shown}>
      <header className="files-head">
        <IconButton label={fileWords.back} icon={<ArrowLeft size={16} />} onClick={onBack} />
        <span className="files-path" title={path}>
          <span className="files-folder">
            <Visible text={shown.slice(0, shown.length - baseName(shown).length)} oneLine />
          </span>
          <span className="files-base">
            <Visible text={baseName(shown)} oneLine />
          </span>
        </span>
        <IconButton
          label={fileWords.copyPath}
          icon={<Copy size={14} />}
          onClick={() => void navigator.clipboard?.writeText(path)}
        />
        <EditorLink target={target} cwd={cwd} />
      </header>
      {isPicture(path) ? <Picture path={path} alt={baseName(path)} /> : <TextFile source={source} target={target} />}
    </section>
  );
}

/** A link to the editor of the last time, and the choice of another. */
function EditorLink({ target, cwd }: { readonly target: FileTarget; readonly cwd: string }): ReactNode {
  const [editor, setEditor] = useState<Editor>(lastEditor);
  return (
    <span className="files-editor">
      <a className="ui-button ui-button-secondary ui-button-small" href={editorHref(editor.id, target, cwd)}>
        <SquareArrowOutUpRight size={14} aria-hidden="true" />
        <span className="ui-button-text">{fileWords.openIn(editor.name)}</span>
      </a>
      <Menu
        label={fileWords.chooseEditor}
        align="end"
        sections={[
          {
            items: editors.map((each) => ({
              id: each.id,
              label: each.name,
              checked: each.id === editor.id,
              onSelect: () => {
                keepEditor(each.id);
                setEditor(each);
              },
            })),
          },
        ]}
        trigger={(props) => (
          <IconButton {...props} label={fileWords.chooseEditor} icon={<span aria-hidden="true">▾</span>} />
        )}
      />
    </span>
  );
}

type Text = { readonly path: string; readonly text: string } | { readonly path: string; readonly problem: string };

function TextFile({ source, target }: { readonly source: FileSource; readonly target: FileTarget }): ReactNode {
  const { path } = target;
  const [loaded, setLoaded] = useState<Text | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file that is asked for again is read again
  useEffect(() => {
    let stale = false;
    source.read(path).then(
      (base64) => stale || setLoaded({ path, ...textOf(base64) }),
      (error: unknown) => stale || setLoaded({ path, problem: messageOf(error) }),
    );
    return () => {
      stale = true;
    };
  }, [source, target]);
  if (loaded?.path !== path) return <Spinner label={fileWords.loading} />;
  if ("problem" in loaded) return <Notice>{loaded.problem}</Notice>;
  return <Lines text={loaded.text} target={target} />;
}

/** Bytes with a zero among them are no text. */
function textOf(base64: string): { readonly text: string } | { readonly problem: string } {
  const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
  if (bytes.subarray(0, 8000).includes(0)) return { problem: fileWords.binary };
  return { text: new TextDecoder().decode(bytes) };
}

function Lines({ text, target }: { readonly text: string; readonly target: FileTarget }): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const lines = text.replace(/\n$/, "").split("\n");
  const highlighted = useHighlighted(text, { language: languageOfPath(target.path), complete: true });
  const { line } = target;
  useEffect(() => {
    const scroller = element.current?.querySelector(".items-lines");
    if (scroller && line !== null) scroller.scrollTop = Math.max(0, (line - 8) * lineHeight);
  }, [line]);
  return (
    <div ref={element} className="files-text">
      <WindowedLines
        label={baseName(target.path)}
        className="files-lines"
        count={lines.length}
        visible={visibleLines}
        renderLine={(at) => (
          <div key={at} className="files-line" data-line={at + 1} aria-current={at + 1 === line || undefined}>
            <CodeLine text={lines[at] ?? ""} tokens={highlighted[at]} />
          </div>
        )}
      />
    </div>
  );
}

/** As the style sheets set it. */
const lineHeight = 20;
/** Lines in sight at once, on a large screen. */
const visibleLines = 60;
