import { bindingsDirectory, generateBindings } from "./bindings.ts";
import { pinnedCodex } from "./codex-binary.ts";
import { compare, outputDirectory, readGenerated } from "./compare.ts";
import { generate } from "./generate.ts";

// Fails when the committed files are not what the installed Codex gives: npm run protocol:check [-- DIRECTORY]

const committed = process.argv[2] ?? outputDirectory;
const { version, files } = generate();
const drifts = [
  ...compare(readGenerated(committed), files),
  ...compare(readGenerated(bindingsDirectory), generateBindings(pinnedCodex().binary)),
];
if (drifts.length === 0) {
  console.log(`protocol: ${files.size} generated files agree with Codex ${version}`);
} else {
  console.error(`protocol: the generated files differ from Codex ${version} (run \`npm run protocol:update\`):`);
  for (const { change, what, name } of drifts) console.error(`  ${change} ${what} ${name}`);
  process.exitCode = 1;
}
