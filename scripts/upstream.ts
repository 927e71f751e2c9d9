/** `npm run upstream -- VERSION`: what a newer Codex brings, and where in Quire it belongs. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { scenarios } from "../conformance/scenarios/index.ts";
import { cachedCodex, pinnedCodex } from "../packages/protocol/generator/codex-binary.ts";
import { differenceOf } from "../packages/protocol/generator/difference.ts";
import { endCommandsOnSignal } from "./lib/run-command.ts";
import { isNewer, newestCodex, RegistryError } from "./lib/upstream/npm.ts";
import { placeBehaviours, placeChanges, reportText, type UpstreamReport } from "./lib/upstream/report.ts";
import { compareBehaviour } from "./lib/upstream/scenarios.ts";
import { describeCodex, featureChanges, regenerate } from "./lib/upstream/surfaces.ts";
import { Whereabouts } from "./lib/upstream/whereabouts.ts";
import { root } from "./lib/workspace.ts";

const usage = `Usage: npm run upstream -- [VERSION] [--only NAME]... [--no-run] [--json]

Without VERSION: says whether npm has a newer Codex than the pinned one (exit code 3: it has).
With VERSION: fetches that Codex, generates its types and tables into .cache/upstream/VERSION, and says what differs from
the pinned one: in the protocol, in its features, and in what the scenarios of \`conformance\` see of both and of Quire.
Each line ends with the file that it belongs to. Nothing in the repository is changed.

  --only NAME  run only scenarios whose name holds this; may be repeated
  --no-run     compare the protocol alone, which takes seconds
  --json       print JSON
  --help       print this`;

/** Exit code for "there is a newer version", so that a workflow can tell it from a failure. */
const newerExists = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", multiple: true, default: [] },
    "no-run": { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  },
});
const [version] = positionals;
if (values.help || positionals.length > 1 || (version !== undefined && !/^\d+\.\d+\.\d+/.test(version))) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}
process.env.QUIRE_CACHE ??= join(root, ".cache");
// Homes and workspaces of the servers lie below, so that nothing is left also when a signal ends this process.
const temporary = mkdtempSync(join(tmpdir(), "quire-upstream-"));
process.env.TMPDIR = temporary;
process.on("exit", () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
endCommandsOnSignal();
try {
  process.exitCode = version === undefined ? await look() : await reportOn(version);
} catch (error) {
  if (!(error instanceof RegistryError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
// Servers that a scenario left behind must not keep this process.
process.exit();

async function look(): Promise<number> {
  const pinned = pinnedCodex().version;
  const newest = await newestCodex();
  const isThere = isNewer(newest, pinned);
  if (values.json) console.log(JSON.stringify({ pinned, newest, newer: isThere }));
  else if (isThere) console.log(`Codex ${newest} is on npm; pinned is ${pinned}. See: npm run upstream -- ${newest}`);
  else console.log(`Codex ${pinned} is pinned, and npm has nothing newer.`);
  return isThere ? newerExists : 0;
}

async function reportOn(after: string): Promise<number> {
  const pinned = pinnedCodex();
  const binary = fetched(after);
  const folder = join(process.env.QUIRE_CACHE ?? "", "upstream", after);
  const generatorNeeds = regenerate({ binary, version: after }, folder);
  const description = describeCodex(binary);
  const where = new Whereabouts();
  const changes = [
    ...differenceOf(describeCodex(pinned.binary), description),
    ...featureChanges(pinned.binary, binary),
  ];
  const chosen = scenarios.filter(
    ({ name }) => values.only.length === 0 || values.only.some((part) => name.includes(part)),
  );
  const options = { before: pinned.version, after, progress: (line: string) => console.error(line) };
  const behaviours = values["no-run"] ? undefined : await compareBehaviour(chosen, options);
  const report: UpstreamReport = {
    before: pinned.version,
    after,
    generated: relative(root, folder),
    ...(generatorNeeds !== undefined && { generatorNeeds }),
    changes: placeChanges(changes, description, where),
    ...(behaviours !== undefined && { behaviours: placeBehaviours(behaviours, where) }),
  };
  console.log(values.json ? JSON.stringify(report, null, 2) : reportText(report));
  return 0;
}

function fetched(wanted: string): string {
  try {
    return cachedCodex(wanted);
  } catch (error) {
    throw new RegistryError(`Codex ${wanted} could not be fetched from npm: ${(error as Error).message}`);
  }
}
