import type { Account, LoginAccountParams, LoginAccountResponse } from "@quire/protocol";
import { useState } from "react";
import type { KeyVerdict } from "../link/key-check.ts";
import { type AccountView, type Loadable, messageOf } from "../state/index.ts";
import { Button, Notice } from "../ui/index.ts";
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
        throw new Error(`The provider refused this key (${checked.reason}). Nothing was stored.`);
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
        <PanelState {...account} failure="The account could not be read" onRetry={onReload} />
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
              ? `${hubName} needs an account before it can ask a model. Sign in below.`
              : `${hubName} needs no sign-in. You can still add a key.`}
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
        <PanelSection title="Signed in">
          {unchecked !== null && (
            <Notice tone="warning">The key is stored, but could not be checked: {unchecked}</Notice>
          )}
          <Facts rows={accountRows(who)} />
          <div>
            <Button busy={busy} onClick={() => void attempt(onLogout)}>
              Sign out
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
      <PanelSection title="With ChatGPT">
        <p className="side-text">Sign in in this browser, or with a code on any other device.</p>
        <div className="side-row">
          <Button variant="primary" disabled={busy} onClick={() => onBegin({ type: "chatgpt" })}>
            Sign in with the browser
          </Button>
          <Button disabled={busy} onClick={() => onBegin({ type: "chatgptDeviceCode" })}>
            Use a device code
          </Button>
        </div>
      </PanelSection>
      <PanelSection title="With an API key">
        <ApiKeyForm busy={busy} onSubmit={onKey} />
      </PanelSection>
    </>
  );
}

function accountRows(account: Account): readonly (readonly [string, string])[] {
  switch (account.type) {
    case "apiKey":
      return [["With", "API key"]];
    case "chatgpt":
      return [
        ["With", "ChatGPT"],
        ["E-mail", account.email ?? "unknown"],
        ["Plan", account.planType],
        ...(account.workspaceName ? ([["Workspace", account.workspaceName]] as const) : []),
      ];
    case "amazonBedrock":
      return [["With", "Amazon Bedrock"]];
    case "gcp":
      return [["With", "Google Cloud"]];
    default:
      return [["With", (account as { readonly type: string }).type]];
  }
}
