import type { ChatgptDeviceCodeLoginAccountResponse, ChatgptLoginAccountResponse } from "@quire/protocol";
import { ExternalLink } from "lucide-react";
import { CopyButton } from "../items/copy-button.tsx";
import { siteOf } from "../items/markdown/web-link.tsx";
import { Button, Spinner } from "../ui/index.ts";
import { panelWords } from "../words/words.ts";
import { PanelSection } from "./panel.tsx";
import { webHref } from "./web-href.ts";

/** A login that waits for the user elsewhere. */
export type RunningLogin = ChatgptLoginAccountResponse | ChatgptDeviceCodeLoginAccountResponse;

interface LoginProgressProps {
  readonly login: RunningLogin;
  readonly onCancel: () => void;
}

/** The steps of a login in another window. It goes away by itself when the account changes. */
export function LoginProgress({ login, onCancel }: LoginProgressProps) {
  const isCode = login.type === "chatgptDeviceCode";
  const href = webHref(isCode ? login.verificationUrl : login.authUrl);
  return (
    <PanelSection title={isCode ? panelWords.enterCode : panelWords.continueBrowser}>
      {isCode && (
        <p className="side-code">
          <code>{login.userCode}</code>
          <CopyButton label={panelWords.copyCode} text={() => login.userCode} />
        </p>
      )}
      <div className="side-row">
        {href !== undefined && (
          <a className="ui-button ui-button-primary" href={href} target="_blank" rel="noopener noreferrer">
            <ExternalLink size={14} aria-hidden="true" />
            <span className="ui-button-text">
              {panelWords.openSignPage}
              {siteOf(href)})
            </span>
          </a>
        )}
        <Button onClick={onCancel}>{panelWords.cancel}</Button>
      </div>
      <Spinner label={panelWords.waitingFinish} />
    </PanelSection>
  );
}
