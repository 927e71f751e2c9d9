import type { Account, LoginAccountParams, LoginAccountResponse } from "@quire/protocol";
import { useState } from "react";
import type { KeyVerdict } from "../link/key-check.ts";
import { type AccountView, type Loadable, messageOf } from "../state/index.ts";
import { Button, Notice } from "../ui/index.ts";
import { panelWords } from "../words/words.ts";
import { ApiKeyForm } from "./api-key-form.tsx";
import { LoginProgress, type RunningLogin } from "./login-progress.tsx";
import { Facts, PanelSection, PanelState } from "./panel.tsx";

/** Props of {@link AccountPanel}. */
export interface AccountPanelProps {
  /** Server of the account, such as "codex 0.166.0". */
  readonly hubName: string;
  readonly account: Loadable<AccountView>;
  readonly onReload: () => void;
  /** Asks the provider whether it knows a key. */
  readonly onCheckKey: (key: string) => Promise<KeyVerdict>;
  readonly onLogin: (params: LoginAccountParams) => Promise<LoginAccountResponse>;
  readonly onCancelLogin: (loginId: string) => Promise<void>;
  readonly onLogout: () => Promise<void>;
}

/** The account, with the ways to sign in and out. */
export function AccountPanel(props: AccountPanelProps) {
  const { hubName, account, onReload, onLogin, onCheckKey, onCancelLogin, onLogout } = props;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [unchecked, setUnchecked] = useState<string | null>(null);
  const [running, setRunning] = useState<RunningLogin | null>(null);

  const attempt = async (action: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await action();
    } catch (reason) {
      setError(messageOf(reason));
    } finally {
      setBusy(false);
    }
  };
  const begin = (params: LoginAccountParams): Promise<void> =>
    attempt(async () => {
      const started = await onLogin(params);
      if (started.type === "chatgpt" || started.type === "chatgptDeviceCode") setRunning(started);
      else onReload();
    });
  const beginWithKey = (apiKey: string): Promise<void> =>
    attempt(async () => {
      const checked = await onCheckKey(apiKey);
      if (checked.verdict === "refused") {
        throw new Error(panelWords.providerRefusedKeyNothingStored(checked.reason));
      }
      setUnchecked(checked.verdict === "unknown" ? checked.reason : null);
      await onLogin({ type: "apiKey", apiKey });
      onReload();
    });
  const cancel = (loginId: string): Promise<void> =>
    attempt(async () => {
      await onCancelLogin(loginId);
      setRunning(null);
    });

  if (account.value === null) {
    return (
      <div className="side-panel">
        <PanelState {...account} failure={panelWords.accountCouldNotRead} onRetry={onReload} />
      </div>
    );
  }
  const { account: who, requiresOpenaiAuth } = account.value;
  return (
    <div className="side-panel">
      {error !== null && <Notice tone="danger">{error}</Notice>}
      {who === null ? (
        <>
          <Notice tone={requiresOpenaiAuth ? "warning" : "neutral"}>
            {requiresOpenaiAuth
              ? panelWords.needsAccountBeforeCanAsk(hubName)
              : panelWords.needsNoSignCanStill(hubName)}
          </Notice>
          {running === null ? (
            <SignIn
              busy={busy}
              onBegin={(params) => void begin(params)}
              onKey={(apiKey) => void beginWithKey(apiKey)}
            />
          ) : (
            <LoginProgress login={running} onCancel={() => void cancel(running.loginId)} />
          )}
        </>
      ) : (
        <PanelSection title={panelWords.signed}>
          {unchecked !== null && (
            <Notice tone="warning">
              {panelWords.keyStoredButCouldNot} {unchecked}
            </Notice>
          )}
          <Facts rows={accountRows(who)} />
          <div>
            <Button busy={busy} onClick={() => void attempt(onLogout)}>
              {panelWords.signOut}
            </Button>
          </div>
        </PanelSection>
      )}
    </div>
  );
}

interface SignInProps {
  readonly busy: boolean;
  readonly onBegin: (params: LoginAccountParams) => void;
  readonly onKey: (apiKey: string) => void;
}

function SignIn({ busy, onBegin, onKey }: SignInProps) {
  return (
    <>
      <PanelSection title={panelWords.withChatgpt}>
        <p className="side-text">{panelWords.signBrowserCodeOtherDevice}</p>
        <div className="side-row">
          <Button variant="primary" disabled={busy} onClick={() => onBegin({ type: "chatgpt" })}>
            {panelWords.signBrowser}
          </Button>
          <Button disabled={busy} onClick={() => onBegin({ type: "chatgptDeviceCode" })}>
            {panelWords.toUseDeviceCode}
          </Button>
        </div>
      </PanelSection>
      <PanelSection title={panelWords.withApiKey}>
        <ApiKeyForm busy={busy} onSubmit={onKey} />
      </PanelSection>
    </>
  );
}

function accountRows(account: Account): readonly (readonly [string, string])[] {
  switch (account.type) {
    case "apiKey":
      return [[panelWords.withWord, panelWords.apiKey]];
    case "chatgpt":
      return [
        [panelWords.withWord, panelWords.chatgpt],
        ["E-mail", account.email ?? "unknown"],
        [panelWords.plan, account.planType],
        ...(account.workspaceName ? ([[panelWords.workspace, account.workspaceName]] as const) : []),
      ];
    case "amazonBedrock":
      return [[panelWords.withWord, panelWords.amazonBedrock]];
    case "gcp":
      return [[panelWords.withWord, panelWords.googleCloud]];
    default:
      return [[panelWords.withWord, (account as { readonly type: string }).type]];
  }
}
