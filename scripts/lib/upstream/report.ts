import type { Description } from "../../../packages/protocol/generator/describe.ts";
import type { Change } from "../../../packages/protocol/generator/difference.ts";
import type { Behaviour, Behaviours } from "./scenarios.ts";
import type { Whereabouts } from "./whereabouts.ts";

/** A change, and the files in which it has to be followed. */
export interface PlacedChange extends Change {
  readonly files: readonly string[];
}

/** All that is known of a new version. */
export interface UpstreamReport {
  readonly before: string;
  readonly after: string;
  /** Folder of the newly generated types and tables. */
  readonly generated: string;
  /** Gaps of the generator that keep it from reading the new version. */
  readonly generatorNeeds?: string;
  readonly changes: readonly PlacedChange[];
  readonly behaviours?: PlacedBehaviours;
}

/** Results of the scenarios, with the files they belong to. */
interface PlacedBehaviours extends Behaviours {
  readonly upstream: readonly PlacedBehaviour[];
  readonly ours: readonly PlacedBehaviour[];
}

interface PlacedBehaviour extends Behaviour {
  readonly files: readonly string[];
}

/** Says for each change which file it belongs to. */
export function placeChanges(changes: readonly Change[], known: Description, where: Whereabouts): PlacedChange[] {
  return changes.map((change) => ({ ...change, files: some(fileOf(change, known, where)) }));
}

/** Says for each way of behaving which file it belongs to. */
export function placeBehaviours(behaviours: Behaviours, where: Whereabouts): PlacedBehaviours {
  const placed = (all: readonly Behaviour[]) =>
    all.map((each) => ({ ...each, files: some(fileOfPlace(each.where, where)) }));
  return { ...behaviours, upstream: placed(behaviours.upstream), ours: placed(behaviours.ours) };
}

const some = (file: string | undefined): string[] => (file === undefined ? [] : [file]);

function fileOf({ what, name, type }: Change, known: Description, where: Whereabouts): string | undefined {
  if (what === "feature") return where.ofFields(["experimental_features", "features"]) ?? undefined;
  if (what === "capability") return where.ofFields(["experimentalApi", "optOutNotificationMethods"]);
  if (type === undefined || name.includes("/")) return where.ofMethod(name.split(".")[0] ?? name);
  return where.ofFields(siblingsOf(name, type, known));
}

/** The other fields of the object that a field stands in, or the other variants of a union. */
function siblingsOf(name: string, type: string, known: Description): string[] {
  const owner = name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : type;
  const start = `field ${owner}.`;
  const fields = [...known.keys()].flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []));
  if (fields.length > 0) return fields;
  const variants = [...known.keys()].flatMap((key) => /^variant (\S+) (\w+)$/.exec(key)?.slice(1, 3) ?? []);
  return variants.flatMap((word, index) => (variants[index - 1] === type ? [word] : []));
}

function fileOfPlace(place: string, where: Whereabouts): string | undefined {
  const method = /^(?:reply|event|request)(?: (?:adds|lacks):)? (\S+)/.exec(place)?.[1];
  if (method !== undefined) return where.ofMethod(method);
  if (place.startsWith("model tool")) return "packages/server/src/tools";
  return place.startsWith("model") ? "packages/server/src/prompt" : undefined;
}

/** The report as Markdown, for a terminal and for an issue alike. */
export function reportText(report: UpstreamReport): string {
  const { before, after, changes, behaviours, generatorNeeds } = report;
  const lines = [
    `# Codex ${after}, seen from ${before}`,
    "",
    `Types and tables of ${after}: ${report.generated}`,
    ...(generatorNeeds === undefined ? [] : ["", `The generator cannot read it yet: ${generatorNeeds}`]),
    ...section("Removed", changes.filter(({ change }) => change === "removed").map(changeLine)),
    ...section("New", changes.filter(({ change }) => change === "added").map(changeLine)),
    ...section("Changed", changes.filter(({ change }) => change === "changed").map(changeLine)),
  ];
  if (behaviours === undefined) return `${lines.join("\n")}\n`;
  const { upstream, ours, scenarios, failing } = behaviours;
  lines.push(
    ...section(`Behaviour: Codex ${before} beside ${after}, ${scenarios} scenarios`, upstream.map(behaviourLine)),
    ...section(
      `Behaviour: Quire beside Codex ${after}, ${failing.length} of ${scenarios} scenarios fail`,
      ours.map(behaviourLine),
    ),
  );
  return `${lines.join("\n")}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return ["", `## ${title}`, "", ...(lines.length === 0 ? ["Nothing."] : lines)];
}

function changeLine({ what, name, detail, files }: PlacedChange): string {
  return `- ${what} \`${name}\`${detail === "" ? "" : ` (${detail})`}${inFiles(files)}`;
}

function behaviourLine({ where, before, after, scenarios, files }: PlacedBehaviour): string {
  const values = before === "" && after === "" ? "" : `: ${cut(before)} → ${cut(after)}`;
  const shown = scenarios.slice(0, 3).join(", ");
  const more = scenarios.length > 3 ? ` and ${scenarios.length - 3} more` : "";
  return `- ${cut(where)}${values}; in ${shown}${more}${inFiles(files)}`;
}

const inFiles = (files: readonly string[]): string => (files.length === 0 ? "" : `: ${files.join(", ")}`);

const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
