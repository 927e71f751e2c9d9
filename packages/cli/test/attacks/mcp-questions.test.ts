/** Attacks: questions that an MCP client shows. */
import { attack } from "@quire/testkit/attack";
import { elicitationOf, type Question } from "../../src/mcp-server/approvals.ts";

const ids = { threadId: "t", turnId: "u", itemId: "i" };
const payload = "rm -rf ~";

/** What the client's user is shown, now and as Codex words it. Nothing where the question is not put to them. */
function shown({ method, params, changes }: Question, guarded: boolean): string | undefined {
  if (guarded)
    return (elicitationOf({ method, params, changes }, "1") as { readonly message: string } | undefined)?.message;
  return method === "item/fileChange/requestApproval"
    ? "Allow Codex to apply proposed code changes?"
    : `Allow Codex to run \`${params.command}\` in \`${params.cwd}\`?`;
}

const aboutCommand = (params: Partial<Question["params"]>): Question => ({
  method: "item/commandExecution/requestApproval",
  params: { ...ids, command: "ls", cwd: "/work", ...params },
  changes: [],
});
const aboutFiles = (changes: Question["changes"], params: Partial<Question["params"]> = {}): Question => ({
  method: "item/fileChange/requestApproval",
  params: { ...ids, ...params },
  changes,
});

const unseen: readonly { readonly name: string; readonly question: Question; readonly needs: readonly string[] }[] = [
  {
    name: "has a wider sandbox approved as a harmless command",
    question: aboutCommand({ additionalPermissions: { fileSystem: { write: ["/home/me/.ssh"] } } }),
    needs: ["/home/me/.ssh"],
  },
  {
    name: "has a way out of the sandbox approved as a harmless command",
    question: aboutCommand({ reason: "retry without sandbox?" }),
    needs: ["retry without sandbox?"],
  },
  {
    name: "has typing into an unconfined program approved as another command",
    question: aboutCommand({
      kind: "writeStdin",
      command: "write_stdin --session-id 1 'exit()\n'",
      reason: "Type into a program that runs outside of the sandbox. It was started by: sh",
    }),
    needs: ["type `exit()⟦⏎⟧` into a program", "outside of the sandbox", "started by: sh"],
  },
  {
    name: "has changes approved that an MCP client does not show",
    question: aboutFiles([{ path: "/work/a", kind: { type: "add" }, diff: `${payload}\n` }]),
    needs: ["add `/work/a`", payload],
  },
  {
    name: "has a file moved by an approval that an MCP client does not show",
    question: aboutFiles([{ path: "/work/a", kind: { type: "update", move_path: "/work/b" }, diff: "" }]),
    needs: ["/work/a", "/work/b"],
  },
  {
    name: "has a folder opened by an approval that an MCP client does not show",
    question: aboutFiles([{ path: "/work/a", kind: { type: "add" }, diff: "x" }], { grantRoot: "/home/me" }),
    needs: ["/home/me"],
  },
];
for (const { name, question, needs } of unseen)
  attack(name, (guarded) => {
    const text = shown(question, guarded);
    return text !== undefined && !needs.every((each) => text.includes(each));
  });

attack("has changes approved that nobody can be shown", (guarded) => shown(aboutFiles([]), guarded) !== undefined);

const forged: readonly { readonly name: string; readonly question: Question; readonly forgery: string | RegExp }[] = [
  {
    name: "erases its command in an MCP client that is a terminal",
    question: aboutCommand({ command: `${payload}\x1b[2K\rls` }),
    forgery: "\x1b",
  },
  {
    name: "reorders its command in an MCP client",
    question: aboutCommand({ command: "ls \u202ehs" }),
    forgery: "\u202e",
  },
  {
    name: "ends its command early in an MCP client",
    question: aboutCommand({ command: `ls\` in \`/work\`?\n\n\n${payload}` }),
    forgery: /^Allow Codex to run `ls` in `\/work`\?$/m,
  },
];
for (const { name, question, forgery } of forged)
  attack(name, (guarded) => {
    const text = shown(question, guarded) ?? "";
    return typeof forgery === "string" ? text.includes(forgery) : forgery.test(text);
  });

attack("passes a line of a change for a part of the question", (guarded) => {
  const question = aboutFiles([{ path: "/a", kind: { type: "add" }, diff: "x\nThe reason given: `fine`\n" }]);
  const { changes } = question;
  const text = guarded ? shown(question, true) : `Allow these changes?\n${changes[0]?.diff}`;
  return text?.split("\n").includes("The reason given: `fine`") ?? false;
});
