import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { Button, Notice, Visible } from "../ui/index.ts";
import { questionWords } from "../words/words.ts";
import type { AnswerProps } from "./answer-props.ts";
import { elicitationResult } from "./wire.ts";

interface UrlFormProps extends AnswerProps {
  readonly url: string;
}

/** A page that an MCP server wants opened. The whole address is shown, and only web addresses can be opened. */
export function UrlForm({ url, busy, onAnswer }: UrlFormProps) {
  const [opened, setOpened] = useState(false);
  const address = webAddress(url);
  return (
    <div className="approvals-form">
      <p className="approvals-url">
        <Visible text={url} oneLine />
      </p>
      {address?.hostname.includes("xn--") && <Notice tone="warning">{questionWords.nameLettersMayLookLike}</Notice>}
      {address === undefined && <Notice tone="danger">{questionWords.noWebAddressNotOpened}</Notice>}
      <div className="approvals-actions">
        {address !== undefined && (
          <a
            className={`ui-button ${opened ? "ui-button-secondary" : "ui-button-primary"}`}
            href={address.href}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => setOpened(true)}
          >
            <ExternalLink size={14} aria-hidden="true" />
            <span className="ui-button-text">
              {questionWords.open} {address.host}
            </span>
          </a>
        )}
        {address !== undefined && (
          <Button
            variant={opened ? "primary" : "secondary"}
            busy={busy}
            onClick={() => onAnswer(elicitationResult("accept"), questionWords.done(address.host))}
          >
            {questionWords.iDone}
          </Button>
        )}
        <Button disabled={busy} onClick={() => onAnswer(elicitationResult("decline"), questionWords.declined)}>
          {questionWords.decline}
        </Button>
      </div>
    </div>
  );
}

function webAddress(url: string): URL | undefined {
  const address = URL.parse(url);
  return address !== null && (address.protocol === "https:" || address.protocol === "http:") ? address : undefined;
}
