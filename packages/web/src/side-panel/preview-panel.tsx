import { ExternalLink, MonitorPlay, RefreshCw } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { previewAddress, showPreview, usePreview } from "../navigation/preview-target.ts";
import { Button, EmptyState, IconButton, Notice, TextInput } from "../ui/index.ts";
import { previewWords } from "../words/words.ts";

/**
 * The page of a dev server on this machine. It has an origin of its own, so it cannot reach this page, and a host of its
 * own, so it never gets this page's cookie.
 */
export function PreviewPanel(): ReactNode {
  const address = usePreview();
  const [typed, setTyped] = useState(address ?? "");
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => setTyped(address ?? ""), [address]);
  if (!isLoopback(location.hostname)) {
    return (
      <EmptyState icon={<MonitorPlay size={24} />} title={previewWords.none}>
        {previewWords.elsewhere}
      </EmptyState>
    );
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = previewAddress(typed);
    setProblem(wanted === null ? previewWords.bad : null);
    if (wanted !== null) showPreview(wanted);
  };
  return (
    <div className="side-panel side-preview">
      <form className="side-row" onSubmit={submit}>
        <TextInput
          aria-label={previewWords.address}
          placeholder={previewWords.hint}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit">{previewWords.open}</Button>
        {address !== null && (
          <>
            <IconButton
              label={previewWords.reload}
              icon={<RefreshCw size={14} />}
              onClick={() => setRound(round + 1)}
            />
            <IconButton
              label={previewWords.newTab}
              icon={<ExternalLink size={14} />}
              onClick={() => window.open(address, "_blank", "noopener,noreferrer")}
            />
          </>
        )}
      </form>
      {problem !== null && <Notice tone="warning">{problem}</Notice>}
      {address === null ? (
        <EmptyState icon={<MonitorPlay size={24} />} title={previewWords.none}>
          {previewWords.noneHint}
        </EmptyState>
      ) : (
        <iframe
          key={`${address} ${round}`}
          title={previewWords.frame(address)}
          src={address}
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
          referrerPolicy="no-referrer"
        />
      )}
    </div>
  );
}

const isLoopback = (host: string): boolean => host === "localhost" || /^127\./.test(host);
