import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bindingsDirectory, generateBindings } from "./bindings.ts";
import { pinnedCodex } from "./codex-binary.ts";
import { outputDirectory } from "./compare.ts";
import { generate } from "./generate.ts";
import { writeHistory } from "./history.ts";

// Writes the generated files anew: npm run protocol:update

const { version, files, history } = generate();
writeHistory(history);
rmSync(outputDirectory, { recursive: true, force: true });
mkdirSync(outputDirectory, { recursive: true });
for (const [name, text] of files) writeFileSync(join(outputDirectory, name), text);
mkdirSync(bindingsDirectory, { recursive: true });
for (const [name, text] of generateBindings(pinnedCodex().binary)) writeFileSync(join(bindingsDirectory, name), text);
console.log(`protocol: wrote ${files.size} files from Codex ${version}`);
