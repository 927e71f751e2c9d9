import type { Description } from "./describe.ts";

/** A difference between two versions of the protocol. */
export interface Change {
  readonly change: "added" | "removed" | "changed";
  /** Kind of thing: `request`, `notification`, `variant`, `result field`, `param`, `capability`, `limit` and the like. */
  readonly what: string;
  /** The method, or the type and its field. */
  readonly name: string;
  /** The type that it belongs to, where it is no method. */
  readonly type?: string;
  /** Details: its type, its params, its earlier form. */
  readonly detail: string;
}

/** Lists what differs between two versions, each thing once: the fields of a new type are told with the method that has it. */
export function differenceOf(before: Description, after: Description): Change[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changed = keys.filter((key) => before.get(key) !== after.get(key));
  const isNew = (key: string): boolean => !before.has(key) && after.has(key);
  const isGone = (key: string): boolean => before.has(key) && !after.has(key);
  return changed.flatMap((key): Change[] => {
    const change = isNew(key) ? "added" : isGone(key) ? "removed" : "changed";
    const known = change === "removed" ? before : after;
    const [what, name] = splitKey(key);
    if (what === "type") return [];
    if (what === "params") return isNew(key) || isGone(key) ? [] : [paramsChange(name, before, after)];
    if (what === "limit") return limitChange(name, before, after);
    if (what !== "field" && what !== "variant") {
      return [{ change, what, name, detail: methodDetail(name, known) }];
    }
    const type = name.split(/[.( ]/)[0] ?? "";
    // A type or a variant that came or went as a whole speaks for what is in it.
    const wholes = [`type ${type}`, ...variantsAround(name)];
    if (wholes.some((whole) => (change === "added" ? isNew(whole) : isGone(whole)))) return [];
    const split = fieldThatSplit(key, before, after);
    if (split !== undefined) return change === "removed" ? [{ ...split, type }] : [];
    const detail =
      change === "changed"
        ? `was ${before.get(key) || "stable"}, is ${after.get(key) || "stable"}`
        : (known.get(key) ?? "");
    if (what === "variant") return [{ change, what, name: name.replace(" ", "."), type, detail }];
    return [{ change, ...place(name, known), type, detail }];
  });
}

/** Reads `field Thread.name` as what it is and its name. */
function splitKey(key: string): [what: string, name: string] {
  const what = /^(client notification|server request|\w+) /.exec(key)?.[1] ?? "";
  return [what, key.slice(what.length + 1)];
}

/** The variants that a field stands in, as keys: `ThreadItem(agentMessage).text` stands in `variant ThreadItem agentMessage`. */
function variantsAround(name: string): string[] {
  const around: string[] = [];
  for (const match of name.matchAll(/\(([^()]+)\)/g)) around.push(`variant ${name.slice(0, match.index)} ${match[1]}`);
  return around;
}

/** A field that became one of several to choose from is one change, not a removed field and new variants. */
function fieldThatSplit(key: string, before: Description, after: Description): Omit<Change, "type"> | undefined {
  const owner = key.startsWith("variant ")
    ? (/^variant (\S+) /.exec(key)?.[1] ?? "")
    : key.slice("field ".length, key.lastIndexOf("."));
  const choices = (description: Description): string[] =>
    [...description.keys()].flatMap((each) =>
      each.startsWith(`variant ${owner} `) ? [each.slice(`variant ${owner} `.length)] : [],
    );
  const now = choices(after);
  const field = now.find((choice) => before.has(`field ${owner}.${choice}`) && !after.has(`field ${owner}.${choice}`));
  if (field === undefined || choices(before).length > 0) return undefined;
  return { change: "changed", what: "field", name: `${owner}.${field}`, detail: `one of ${now.join(", ")}` };
}

/** Says where a field is met: in the params of a method, among the capabilities, or in what comes back. */
function place(name: string, known: Description): { what: string; name: string } {
  const dot = name.lastIndexOf(".");
  const [owner, field] = [name.slice(0, dot), name.slice(dot + 1)];
  if (owner === "InitializeCapabilities") return { what: "capability", name: field };
  const method = [...known].find(([key, params]) => key.startsWith("params ") && params === owner)?.[0];
  const isNotification = owner.endsWith("Notification");
  if (method !== undefined && !isNotification)
    return { what: "param", name: `${method.slice("params ".length)}.${field}` };
  return { what: known.get(`type ${owner.split("(")[0]}`) === "sent" ? "param" : "result field", name };
}

function methodDetail(method: string, known: Description): string {
  const mark = [...known].some(([key, value]) => key.endsWith(` ${method}`) && value === "experimental");
  const fields = fieldsOf(known.get(`params ${method}`), known);
  return [mark ? "experimental" : "", fields === "" ? "" : `params ${fields}`].filter(Boolean).join("; ");
}

/** A field that both have, with other numbers in what is said of it. */
function limitChange(name: string, before: Description, after: Description): Change[] {
  if (!before.has(`field ${name}`) || !after.has(`field ${name}`)) return [];
  const [was, is] = [before, after].map((known) => known.get(`limit ${name}`) ?? "none");
  return [{ change: "changed", what: "limit", name, type: name.split(".")[0] ?? "", detail: `was ${was}, is ${is}` }];
}

function paramsChange(method: string, before: Description, after: Description): Change {
  const [was, is] = [before, after].map((known) => fieldsOf(known.get(`params ${method}`), known) || "none");
  return { change: "changed", what: "params", name: method, detail: `was ${was}, is ${is}` };
}

/** The fields of a type in one line: `cursor?, threadId`. */
function fieldsOf(type: string | undefined, known: Description): string {
  const start = `field ${type}.`;
  return [...known]
    .flatMap(([key, value]) =>
      key.startsWith(start) ? [`${key.slice(start.length)}${value.endsWith(", optional") ? "?" : ""}`] : [],
    )
    .join(", ");
}
