import { authFlags } from "../args/auth-flags.ts";
import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { programName } from "../args/program-name.ts";

/** Options of Codex's that are refused, each with what to do instead. */
export const refusedFlags = {
  remote: {
    type: "text",
    value: "URL",
    help: "Not supported: OpenAI's registry of environments. Listen here, and add the address with environment/add.",
  },
  environmentId: { type: "text", value: "ID", help: "Not supported, as --remote." },
  name: { type: "text", value: "NAME", help: "Not supported, as --remote." },
  remoteTransport: { type: "text", value: "TRANSPORT", help: "Not supported, as --remote." },
  useAgentIdentityAuth: { type: "switch", help: "Not supported, as --remote." },
  registrationBearerStdin: { type: "switch", help: "Not supported, as --remote." },
  executorCredentialStdin: { type: "switch", help: "Not supported, as --remote." },
  chatgptTokenStdin: { type: "switch", help: "Not supported, as --remote." },
  chatgptAccountId: { type: "text", value: "ID", help: "Not supported, as --remote." },
  awsSigv4: { type: "switch", help: "Not supported, as --remote." },
  awsProfile: { type: "text", value: "PROFILE", help: "Not supported, as --remote." },
  awsRegion: { type: "text", value: "REGION", help: "Not supported, as --remote." },
  awsService: { type: "text", value: "SERVICE", help: "Not supported, as --remote." },
} as const satisfies Flags;

const flags = {
  listen: {
    type: "text",
    value: "URL",
    fallback: "ws://127.0.0.1:0",
    help: "Address to listen on: `ws://IP:PORT` (port 0 takes a free one) or `stdio`. Other machines need --ws-auth.",
  },
  ...authFlags,
  concurrentRequests: {
    type: "number",
    value: "COUNT",
    fallback: "1",
    range: [1, 1024],
    help: "Requests of one client that are worked on at once. 1 keeps their order.",
  },
  exitOnStdinClose: { type: "switch", help: "End when stdin is closed, as with the program that started this one." },
  linuxSandboxPidNamespace: {
    type: "text",
    value: "MODE",
    choices: ["isolate", "inherit"],
    fallback: "isolate",
    help: "Confined commands never see other processes; `inherit` is refused.",
  },
  proxyPrivateIpsViaUpstream: { type: "switch", help: "Ignored; accepted for compatibility: there is no proxy here." },
  strictConfig: { type: "switch", help: "Fail if config.toml has unknown fields." },
  ...configFlags,
  ...refusedFlags,
} as const satisfies Flags;

/** `exec-server`. */
export const execServerSpec: CommandSpec<typeof flags> = {
  name: `${programName} exec-server`,
  summary: "Run commands and serve files here for an app-server elsewhere",
  flags,
  examples: [
    [
      `${programName} exec-server --listen ws://127.0.0.1:4600`,
      "Prints its address. From elsewhere: ssh -L 4600:127.0.0.1:4600 HERE",
    ],
    [
      `${programName} exec-server --listen ws://0.0.0.0:4600 --ws-auth capability-token --ws-token-file /etc/quire/token`,
      "Serve other machines; they need the token.",
    ],
  ],
  notes:
    "An app-server, ours or Codex's, learns of it by environment/add with its address and token; threads that name that environment then work here. Who may connect may do all that you can: without --ws-auth your programs on this machine may, and where it is not Linux those of its other users too. A sandbox confines what the app-server asks to be confined, and what cannot be confined as it asks is refused. Commands end 80 seconds after their app-server has left for good, and with this server at once.",
};
