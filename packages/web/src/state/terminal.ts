import type { CommandExecParams } from "@quire/protocol";
import { type TerminalInfo, type TerminalOutput, terminalMethods } from "@quire/protocol/gateway";
import type { HubPort } from "../link/hub-port.ts";
import type { TerminalHandle, TerminalPort, TerminalSink } from "./actions.ts";

/** The user's own shell, as a login would start it. */
const shell = ["/bin/sh", "-c", 'if [ -x "$SHELL" ]; then exec "$SHELL" -l; else exec /bin/sh -l; fi'];

/** The terminals of a hub. */
export function terminalsOf(port: HubPort): TerminalPort {
  const ask = (method: string, params: unknown): Promise<unknown> => port.requestUntyped(method, params);
  const onChange: TerminalPort["onChange"] = (listener) =>
    port.onNotification(terminalMethods.changed, ({ terminals }: { readonly terminals: readonly TerminalInfo[] }) =>
      listener(terminals),
    );
  return {
    list: async () =>
      ((await ask(terminalMethods.list, {})) as { readonly terminals: readonly TerminalInfo[] }).terminals,
    onChange,
    async open(threadId, cwd) {
      const exec: CommandExecParams & { readonly processId: string } = {
        processId: `terminal-${crypto.randomUUID()}`,
        command: [...shell],
        cwd,
        tty: true,
        size: { cols: 80, rows: 24 },
        streamStdin: true,
        streamStdoutStderr: true,
        disableTimeout: true,
        disableOutputCap: true,
        env: { TERM: "xterm-256color" },
        // The user's own hands: what holds the agent back is not for them.
        sandboxPolicy: { type: "dangerFullAccess" },
      };
      await ask(terminalMethods.open, { threadId, exec });
      return exec.processId;
    },
    attach: (id, onOutput) => attach(port, { id, onOutput, onChange }),
    close: async (id) => void (await ask(terminalMethods.close, { processId: id })),
  };
}

interface Attachment {
  readonly id: string;
  readonly onOutput: TerminalSink;
  readonly onChange: TerminalPort["onChange"];
}

async function attach(port: HubPort, { id, onOutput, onChange }: Attachment): Promise<TerminalHandle> {
  const ended = Promise.withResolvers<{ readonly exitCode: number | null }>();
  ended.promise.catch(() => undefined);
  const end = (how: TerminalInfo["ended"]): void => {
    if (how === null) return;
    if (how.error === null) ended.resolve({ exitCode: how.exitCode });
    else ended.reject(new Error(how.error));
  };
  let isReplayed = false;
  const stops = [
    port.onNotification("command/exec/outputDelta", (delta: { processId: string; deltaBase64: string }) => {
      // What came before the reply is part of it.
      if (isReplayed && delta.processId === id) onOutput(bytesOf(delta.deltaBase64), false);
    }),
    onChange((terminals) => {
      const info = terminals.find(({ processId }) => processId === id);
      end(info === undefined ? { exitCode: null, error: null } : info.ended);
    }),
  ];
  const detach = (): void => {
    for (const stop of stops) stop();
  };
  try {
    const reply = (await port.requestUntyped(terminalMethods.attach, { processId: id })) as TerminalOutput;
    isReplayed = true;
    for (const chunk of reply.output) onOutput(bytesOf(chunk), true);
    end(reply.ended);
  } catch (error) {
    detach();
    throw error;
  }
  let writes: Promise<unknown> = Promise.resolve();
  return {
    write(text) {
      // Keys keep their order.
      const writing = writes.then(() =>
        port.request("command/exec/write", { processId: id, deltaBase64: base64(text) }),
      );
      writes = writing.catch(() => undefined);
      return writing.then(() => undefined);
    },
    resize: async (size) => void (await port.request("command/exec/resize", { processId: id, size: { ...size } })),
    detach,
    exited: ended.promise,
  };
}

const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));

function base64(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
