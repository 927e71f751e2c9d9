#!/usr/bin/env bun
/** A program that answers as `bd` does, for the commands that the adapter uses; its issues are `issues.json` in the folder. */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

interface Bead {
  readonly id: string;
  status: string;
  readonly blocked_by?: readonly string[];
  comments?: string[];
}

const issues = JSON.parse(readFileSync("issues.json", "utf8")) as Bead[];
const [command, ...args] = process.argv.slice(2);
const flag = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

function refuse(message: string): never {
  process.stderr.write(`Error: ${message}\n`);
  process.exit(1);
}

function known(id: string | undefined): Bead {
  return issues.find((each) => each.id === id) ?? refuse(`no issue found matching "${id}"`);
}

function save(): void {
  writeFileSync("issues.json", JSON.stringify(issues));
}

const allowed = new Set(["--json", "--all", "--limit=0"]);

switch (command) {
  case "list": {
    const odd = args.find((arg) => !allowed.has(arg) && !/^--(status|id)=/.test(arg));
    if (odd !== undefined) refuse(`unknown flag: ${odd}`);
    const [status, ids] = [flag("status"), flag("id")?.split(",")];
    const isAsked = (each: Bead) =>
      (status === undefined || each.status === status) &&
      (ids?.includes(each.id) ?? true) &&
      (status !== undefined || args.includes("--all") || each.status !== "closed");
    // Without a limit of its own it prints fifty.
    print(issues.filter(isAsked).slice(0, args.includes("--limit=0") ? undefined : 50));
    break;
  }
  case "blocked":
    print(issues.filter(({ status, blocked_by: by = [] }) => status !== "closed" && by.length > 0));
    break;
  case "update":
    known(args[0]).status = flag("status") ?? refuse("no updates specified");
    save();
    break;
  case "close":
    known(args[0]).status = "closed";
    save();
    break;
  case "reopen":
    known(args[0]).status = "open";
    save();
    break;
  case "comments": {
    const [add, id, dashes, text] = args;
    if (add !== "add" || dashes !== "--" || text === undefined) refuse("accepts 2 arg(s)");
    const issue = known(id);
    issue.comments = [...(issue.comments ?? []), text];
    save();
    break;
  }
  default:
    refuse(`unknown command "${command}"`);
}
