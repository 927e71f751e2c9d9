/** Programs in assembler are what their sources say. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assemblies, machineCodeText } from "../scripts/lib/assemble.ts";

for (const assembly of assemblies) {
  test(`the machine code of ${assembly.name} is that of its sources`, () => {
    const text = machineCodeText(assembly);
    // Without an assembler there is nothing to compare with.
    if (text === undefined) return;
    assert.equal(readFileSync(join(assembly.folder, "machine-code.ts"), "utf8"), text, "run scripts/assemble.ts");
  });
}
