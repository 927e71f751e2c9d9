import type { ApprovalRequest, CommandApproval, ElicitationRequest } from "@quire/client";
import type { CommandInput } from "@quire/client/questions";
import { type FileUpdateChange, shellScript, visibleHost, visibleKeys } from "@quire/protocol";
import { terminalText } from "../lib/terminal-text.ts";
import { quoted } from "./quoted.ts";

/** A question as lines: what is asked, and below it, set apart, what it is about. */
export type QuestionText = readonly string[];

const unknown: QuestionText = ["  (not specified by the server)"];

/** Full text of an approval request. */
export function describeApproval(request: ApprovalRequest): QuestionText {
  // With a question about input, a host or files the server itself may say why it asks.
  const isServers = request.kind === "command" ? request.input || request.network : request.kind === "fileChange";
  const whose = isServers ? "The reason given:" : "The agent's reason:";
  const why = request.reason ? [`  ${whose}`, ...quoted(request.reason)] : [];
  switch (request.kind) {
    case "command":
      return [...describeCommand(request), ...why];
    case "fileChange":
      return [
        "Make these changes?",
        ...(request.changes.length === 0 ? unknown : request.changes.flatMap(change)),
        ...(request.grantRoot ? labelled("and allow writing to", request.grantRoot) : []),
        ...why,
      ];
    case "permissions":
      return ["Grant these permissions?", ...json(request.permissions), ...place(request.cwd), ...why];
  }
}

function describeCommand(request: CommandApproval): QuestionText {
  const { command, cwd, network, additionalPermissions, input } = request;
  if (input) return describeInput(input, cwd);
  const text = command === undefined ? unknown : quoted(shellScript(command));
  const more = additionalPermissions ? ["  with these permissions:", ...json(additionalPermissions)] : [];
  if (!network) return ["Run this command?", ...text, ...place(cwd), ...more];
  const { text: host, hint } = visibleHost(network.host);
  return [
    `Let this command reach ${host} (${terminalText(network.protocol, { oneLine: true })})?`,
    ...(hint === undefined ? [] : [`  Careful: ${hint}`]),
    ...text,
    ...place(cwd),
    ...more,
  ];
}

function describeInput({ text, program }: CommandInput, cwd: string | undefined): QuestionText {
  return [
    "Type this into a program that is running?",
    ...(text === undefined ? unknown : quoted(visibleKeys(text))),
    ...(program === undefined ? [] : ["  into", ...quoted(shellScript(program))]),
    ...place(cwd),
  ];
}

/** Text of a question from an MCP server, or from Codex about its tool. */
export function describeElicitation({ serverName, message, url, form, params }: ElicitationRequest): QuestionText {
  const { tool_params: data } = (params._meta ?? {}) as Readonly<Record<string, unknown>>;
  return [
    `${terminalText(serverName, { oneLine: true })} asks:`,
    ...quoted(message),
    ...(data === undefined ? [] : ["  with", ...json(data)]),
    ...formFields(form),
    ...(url === undefined ? [] : [...labelled("It wants you to open", url), ...hostOf(url)]),
  ];
}

/** Fields of the form, which a terminal leaves empty. */
function formFields(form: ElicitationRequest["form"]): QuestionText {
  const names = Object.entries(form?.properties ?? {}).map(([name, { title }]) => (title ? `${name}: ${title}` : name));
  return names.length === 0 ? [] : ["  Fields of its form:", ...quoted(names.join("\n"))];
}

function hostOf(url: string): QuestionText {
  const { host } = URL.parse(url) ?? {};
  return host ? [`  which is at ${terminalText(host, { oneLine: true })}`] : [];
}

function change({ path, kind, diff }: FileUpdateChange): QuestionText {
  const target = kind.type === "update" && kind.move_path ? labelled("to", kind.move_path) : [];
  return [...labelled(kind.type, path), ...target, ...(diff === "" ? [] : quoted(diff.replace(/\n$/, "")))];
}

const place = (cwd: string | undefined): QuestionText => (cwd === undefined ? [] : labelled("in", cwd));

/** On one line where it fits there: a line that the terminal breaks could look like two. */
function labelled(label: string, text: string): QuestionText {
  const line = `  ${label} ${terminalText(text, { oneLine: true })}`;
  return Bun.stringWidth(line) < (process.stderr.columns || 80) ? [line] : [`  ${label}`, ...quoted(text)];
}

const json = (value: unknown): QuestionText => quoted(JSON.stringify(value, null, 2) ?? "");
