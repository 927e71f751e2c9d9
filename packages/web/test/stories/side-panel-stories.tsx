import type { LoginAccountResponse, McpServerStatus, RateLimitSnapshot } from "@quire/protocol";
import { type Dispatch, type ReactNode, type SetStateAction, useState } from "react";
import { useShortcuts } from "../../src/palette/index.ts";
import { GeneralSection } from "../../src/settings/general-section.tsx";
import { type AccountPanelProps, type SidePanelTab, StatusDialog, TerminalDrawer } from "../../src/side-panel/index.ts";
import { SidePanel } from "../../src/side-panel/side-panel.tsx";
import type { AccountView, Loadable, TerminalHandle, TerminalSink } from "../../src/state/index.ts";
import { Dialog } from "../../src/ui/index.ts";
import { flag, noted } from "./calls.ts";
import { hostile, models, thread, usage } from "./data.ts";

const inHours = (hours: number): number => Math.floor(Date.now() / 1000) + hours * 3600;

const rateLimits: readonly RateLimitSnapshot[] = [
  {
    limitId: "codex",
    primary: { usedPercent: 34, windowDurationMins: 300, resetsAt: inHours(2) },
    secondary: { usedPercent: 93, windowDurationMins: 10_080, resetsAt: inHours(50) },
  },
];

const server = (name: string, more: Partial<McpServerStatus>): McpServerStatus => ({
  name,
  authStatus: "unsupported",
  resources: [],
  resourceTemplates: [],
  tools: {},
  ...more,
});

const servers: readonly McpServerStatus[] = [
  server("files", {
    runtimeStatus: "connected",
    tools: {
      read: { name: "read", description: "Reads a file", inputSchema: {} },
      remove: { name: "remove", description: hostile, inputSchema: {} },
    },
  }),
  server("drive", { runtimeStatus: "authenticationRequired", authStatus: "notLoggedIn" }),
  server("broken", {
    runtimeStatus: "failed",
    toolsError: "spawn broken ENOENT: install it, or remove it from config.toml",
  }),
];

function accountProps(
  state: Loadable<AccountView>,
  setState: Dispatch<SetStateAction<Loadable<AccountView>>>,
): AccountPanelProps {
  return {
    hubName: "codex 0.166.0",
    account: state,
    onReload: noted("reload", () => setState((before) => ({ ...before, error: null }))),
    onLogin: noted("login", async (params): Promise<LoginAccountResponse> => {
      if (params.type === "chatgptDeviceCode") {
        return {
          type: "chatgptDeviceCode",
          loginId: "l1",
          userCode: "ABCD-1234",
          verificationUrl: "https://auth.example.org",
        };
      }
      if (params.type === "chatgpt")
        return { type: "chatgpt", loginId: "l2", authUrl: "https://auth.example.org/login" };
      if (params.type === "apiKey" && params.apiKey === "wrong")
        throw new Error("The key was refused: make a new one.");
      setState({ ...state, value: { account: { type: "apiKey" }, requiresOpenaiAuth: true } });
      return { type: "apiKey" };
    }),
    onCheckKey: async (key) =>
      key === "refused" ? { verdict: "refused", reason: "HTTP 401" } : { verdict: "good", models: [] },
    onCancelLogin: noted("cancelLogin", async () => undefined),
    onLogout: noted("logout", async () => setState({ ...state, value: { account: null, requiresOpenaiAuth: true } })),
  };
}

function SidePanelStory(): ReactNode {
  const [account, setAccount] = useState<Loadable<AccountView>>(
    flag("failing")
      ? { value: null, loading: false, error: "the link was lost" }
      : { value: { account: null, requiresOpenaiAuth: true }, loading: false, error: null },
  );
  const empty = flag("empty");
  const [tab, setTab] = useState(
    () => (new URLSearchParams(location.hash.split("?")[1] ?? "").get("tab") ?? "changes") as SidePanelTab,
  );
  const list = { loading: false, error: null, reload: noted("reloadMcp", () => undefined) };
  return (
    <div className="story-panel">
      <SidePanel
        thread={empty ? null : thread}
        usage={
          empty ? { usage: null, rateLimits: [] } : { usage, rateLimits, onCompact: noted("compact", () => undefined) }
        }
        mcp={{
          servers: { ...list, value: empty ? [] : servers },
          onLogin: noted("mcpLogin", async () => "https://drive.example.org/oauth"),
          onRestart: noted("restart", async () => undefined),
        }}
        account={accountProps(account, setAccount)}
        offline={flag("offline") ? "The server is not connected. It is tried again in 4 s." : null}
        tab={tab}
        onTab={setTab}
        git={null}
        onAsk={async () => "Say hello"}
        onLoadOlder={noted("older", () => undefined)}
        place={{ hub: "local", cwd: "/work/app" }}
        onClose={noted("close", () => undefined)}
      />
    </div>
  );
}

function SettingsStory(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <div className="story-row">
      <button type="button" onClick={() => setOpen(true)}>
        Settings
      </button>
      {open && (
        <Dialog title="Settings" onClose={() => setOpen(false)}>
          <GeneralSection onShortcuts={noted("shortcuts", () => undefined)} />
        </Dialog>
      )}
    </div>
  );
}

/** A shell that answers every line with what was typed. */
async function echoShell(_id: string, onOutput: TerminalSink): Promise<TerminalHandle> {
  const encoder = new TextEncoder();
  const exit = Promise.withResolvers<{ readonly exitCode: number | null }>();
  setTimeout(() => onOutput(encoder.encode("\u001b[32mready\u001b[0m true\r\n$ "), true));
  if (flag("failing")) throw new Error("command/exec needs Codex 0.118 or later");
  return {
    write: noted("write", async (text: string) => {
      onOutput(encoder.encode(text.replaceAll("\r", "\r\n$ ")), false);
      if (text.includes("\u0004")) exit.resolve({ exitCode: 3 });
    }),
    resize: noted("resize", async () => undefined),
    detach: noted("detach", () => undefined),
    exited: exit.promise,
  };
}

function TerminalStory(): ReactNode {
  const [open, setOpen] = useState(true);
  const [count, setCount] = useState(1);
  useShortcuts({ terminal: () => setOpen(false) });
  if (!open) return <p>closed</p>;
  return (
    <div className="story-drawer">
      <TerminalDrawer
        cwd="/home/ada/engine"
        terminals={[`shell-${count}`]}
        selected={`shell-${count}`}
        onSelect={noted("select", () => undefined)}
        onNew={noted("new", () => undefined)}
        unavailable={flag("offline") ? "The server is not connected." : null}
        onAttach={noted("attach", echoShell)}
        onHide={() => setOpen(false)}
        onRestart={noted("restart", () => setCount(count + 1))}
        onEnd={noted("end", () => setOpen(false))}
        onLink={noted("link", () => undefined)}
      />
    </div>
  );
}

function StatusStory(): ReactNode {
  return (
    <StatusDialog thread={thread} models={models} hubName="codex 0.166.0" onClose={noted("close", () => undefined)} />
  );
}

export const sidePanelStories = {
  "side-panel": SidePanelStory,
  settings: SettingsStory,
  terminal: TerminalStory,
  status: StatusStory,
};
