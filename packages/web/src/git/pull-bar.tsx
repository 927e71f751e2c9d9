import { CircleCheck, CircleDashed, CircleX, ExternalLink } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { safeLink } from "../items/markdown/safe-url.ts";
import type { RunScript } from "../scripts/run-script.ts";
import { messageOf } from "../state/index.ts";
import { Button, Checkbox, Notice, TextInput } from "../ui/index.ts";
import { gitWords } from "../words/words.ts";
import { type Check, createPull, type PullPlace, type PullRequest, readPull } from "./pull-request.ts";

interface PullBarProps {
  readonly run: RunScript;
  readonly place: PullPlace;
  /** The branch to merge into, and the title that is offered. */
  readonly base: string | null;
  readonly title: string;
  /** Reads the pull request again when it is another object. */
  readonly moment: unknown;
}

/** The pull request of a branch with its checks, or the way to make one. */
export function PullBar({ run, place, base, title, moment }: PullBarProps): ReactNode {
  const [pull, setPull] = useState<PullRequest | null | "missing" | undefined>();
  const [error, setError] = useState<string | null>(null);
  const [writing, setWriting] = useState(false);
  const [round, setRound] = useState(0);
  const { forge, branch } = place;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round or moment reads again
  useEffect(() => {
    let stale = false;
    setError(null);
    readPull(run, place).then(
      (found) => stale || setPull(found),
      (reason: unknown) => stale || setError(messageOf(reason)),
    );
    return () => {
      stale = true;
    };
  }, [run, forge.repository, branch, moment, round]);
  if (error !== null) return <Notice tone="danger">{error}</Notice>;
  if (pull === undefined) return null;
  if (pull === "missing") return <PageLink href={forge.page(branch)} text={gitWords.pull} />;
  if (pull !== null) return <Pull pull={pull} />;
  if (!writing) {
    return (
      <Button size="small" onClick={() => setWriting(true)}>
        {gitWords.createPull}
      </Button>
    );
  }
  return (
    <PullForm
      title={title}
      onCancel={() => setWriting(false)}
      onCreate={async (words) => {
        await createPull(run, place, { ...words, base });
        setWriting(false);
        setRound((count) => count + 1);
      }}
    />
  );
}

function PageLink({ href, text }: { readonly href: string; readonly text: string }): ReactNode {
  const safe = safeLink(href);
  if (safe === null) return <span>{text}</span>;
  return (
    <a className="ui-button ui-button-secondary ui-button-small" href={safe} target="_blank" rel="noopener noreferrer">
      <ExternalLink size={14} aria-hidden="true" />
      <span className="ui-button-text">{text}</span>
    </a>
  );
}

const icons = { passed: CircleCheck, failed: CircleX, running: CircleDashed };

function Pull({ pull }: { readonly pull: PullRequest }): ReactNode {
  const { checks } = pull;
  const count = (state: Check["state"]): number => checks.filter((check) => check.state === state).length;
  const [failed, running, passed] = [count("failed"), count("running"), count("passed")];
  const parts = [
    failed > 0 && gitWords.failed(failed),
    running > 0 && gitWords.running(running),
    passed > 0 && gitWords.passed(passed),
  ].filter((part) => part !== false);
  return (
    <div className="git-pull">
      <div className="side-row">
        <PageLink href={pull.url} text={`#${pull.number} ${pull.title}`} />
        <span className="side-note">{pull.state.toLowerCase()}</span>
      </div>
      {checks.length === 0 ? (
        <span className="side-note">{gitWords.noChecks}</span>
      ) : (
        <details className="git-checks">
          <summary>
            {gitWords.checks}: {parts.join(", ")}
          </summary>
          <ul>
            {checks.map((check, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two checks can have one name
              <li key={index}>
                <CheckLine check={check} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function CheckLine({ check: { name, state, url } }: { readonly check: Check }): ReactNode {
  const Icon = icons[state];
  const href = url === null ? null : safeLink(url);
  return (
    <span className={`git-check git-check-${state}`}>
      <Icon size={14} aria-hidden="true" />
      {href === null ? (
        name
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      )}
      <span className="side-note">{gitWords.states[state]}</span>
    </span>
  );
}

interface PullFormProps {
  readonly title: string;
  readonly onCreate: (words: { title: string; body: string; draft: boolean }) => Promise<void>;
  readonly onCancel: () => void;
}

function PullForm({ title: proposed, onCreate, onCancel }: PullFormProps): ReactNode {
  const [title, setTitle] = useState(proposed);
  const [body, setBody] = useState("");
  const [draft, setDraft] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await onCreate({ title, body, draft });
    } catch (reason) {
      setError(messageOf(reason));
      setBusy(false);
    }
  };
  return (
    <form className="git-commit" aria-label={gitWords.createPull} onSubmit={(event) => void submit(event)}>
      <TextInput aria-label={gitWords.pullTitle} value={title} onChange={(event) => setTitle(event.target.value)} />
      <textarea
        aria-label={gitWords.pullBody}
        placeholder={gitWords.pullBody}
        rows={3}
        value={body}
        onChange={(event) => setBody(event.target.value)}
      />
      <Checkbox label={gitWords.pullDraft} checked={draft} onChange={setDraft} />
      <div className="side-row">
        <Button type="submit" variant="primary" busy={busy} disabled={title.trim() === ""}>
          {gitWords.create}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {gitWords.cancel}
        </Button>
      </div>
      {error !== null && <Notice tone="danger">{error}</Notice>}
    </form>
  );
}
