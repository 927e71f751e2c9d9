import { Base64Error, decodeBase64 } from "../lib/base64.ts";
import { internalError, invalidParams, invalidRequest } from "../lib/rpc-errors.ts";
import { commandVariables } from "../run/process/command-variables.ts";
import type { Confinement, Launch } from "../run/process/launcher.ts";
import { sandboxLauncher } from "../run/sandbox/sandbox-launcher.ts";
import { confinementOf } from "./confinement-of.ts";
import type { Call, Methods } from "./methods.ts";
import {
  choiceField,
  type Fields,
  fieldsOf,
  flagField,
  mapField,
  optionalCount,
  optionalFlag,
  pathField,
  textField,
  textsField,
} from "./params.ts";
import { ServedProcess } from "./served-process.ts";

const terminal = { cols: 80, rows: 24 };

/** Commands, with all rights of the exec-server unless the client asks for a sandbox. */
export const processMethods: Methods = {
  "process/start": (fields, call) => {
    const processId = textField(fields, "processId");
    const confinement = confinementOfStart(fields, call);
    const tty = flagField(fields, "tty");
    const launch = launchOf(fields, call);
    const confined = confinement.policy.type !== "dangerFullAccess";
    call.session.add(processId, () => {
      try {
        return new ServedProcess({
          ...sandboxLauncher(call.sandbox)(launch, { ...confinement, tty }),
          processId,
          owner: call.session.owner,
          confined,
          listener: call.session,
          tty: tty ? terminal : undefined,
          stdin: optionalFlag(fields, "pipeStdin", false),
        });
      } catch (error) {
        throw internalError(reasonOf(error));
      }
    });
    return { processId, sandboxType: confined ? sandboxType() : "none" };
  },

  "process/read": async (fields, { session, signal }) => {
    const processId = textField(fields, "processId");
    const found = session.get(processId);
    if (!found) throw invalidRequest(`unknown process id ${processId}`);
    const afterSeq = optionalCount(fields, "afterSeq");
    const maxBytes = optionalCount(fields, "maxBytes");
    return await found.read({ afterSeq, maxBytes, waitMs: optionalCount(fields, "waitMs") }, signal);
  },

  "process/write": async (fields, { session }) => {
    const found = session.get(textField(fields, "processId"));
    const bytes = decoded(textField(fields, "chunk"));
    const writeId = textField(fields, "writeId");
    if (writeId === "") throw invalidParams("writeId must not be empty");
    return { status: found ? await found.write(bytes, writeId) : "unknownProcess" };
  },

  "process/signal": async (fields, { session }) => {
    const found = session.get(textField(fields, "processId"));
    textField(fields, "signal");
    choiceField(fields, "signal", ["interrupt"]);
    await found?.interrupt();
    return {};
  },

  "process/terminate": (fields, { session }) => ({
    running: session.get(textField(fields, "processId"))?.terminate() ?? false,
  }),
};

function confinementOfStart(fields: Fields, { sandbox }: Call): Confinement {
  // Codex starts such a command with an open network where nobody has given it the proxy.
  if (optionalFlag(fields, "enforceManagedNetwork", false) || (fields.managedNetwork ?? null) !== null) {
    throw invalidRequest(
      "this exec-server has no managed network: ask for a sandbox whose network is restricted or enabled",
    );
  }
  return confinementOf(fields.sandbox, sandbox.env);
}

function launchOf(fields: Fields, { sandbox }: Call): Launch {
  const argv = textsField(fields, "argv");
  if (argv.length === 0) throw invalidParams("argv must not be empty");
  if ((fields.arg0 ?? null) !== null)
    throw invalidRequest("arg0 is not supported by this exec-server: a command has the name of its program");
  const inherited =
    (fields.envPolicy ?? null) === null ? {} : inheritedVariables(fieldsOf(fields.envPolicy), sandbox.env);
  return { argv, cwd: pathField(fields, "cwd"), env: { ...inherited, ...mapField(fields, "env") } };
}

function inheritedVariables(policy: Fields, env: Call["sandbox"]["env"]): Record<string, string> {
  textField(policy, "inherit");
  return commandVariables(
    {
      inherit: choiceField(policy, "inherit", ["all", "core", "none"]),
      ignoreDefaultExcludes: flagField(policy, "ignoreDefaultExcludes"),
      exclude: textsField(policy, "exclude"),
      set: mapField(policy, "set"),
      includeOnly: textsField(policy, "includeOnly"),
    },
    env,
  );
}

const sandboxType = (): string => (process.platform === "darwin" ? "macosSeatbelt" : "linuxSeccomp");

function decoded(text: string): Uint8Array {
  try {
    return decodeBase64(text);
  } catch (error) {
    if (error instanceof Base64Error) throw invalidParams(error.message);
    throw error;
  }
}

/** Why a command was not started. The runtime blames the program; the folder may be missing. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "No such file or directory (os error 2)";
  return code === "EACCES" ? "Permission denied (os error 13)" : message;
}
