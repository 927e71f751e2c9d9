/** Assembles the programs written in assembler into the machine-code.ts beside their sources. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assemblies, machineCodeText } from "./lib/assemble.ts";

for (const assembly of assemblies) {
  const text = machineCodeText(assembly);
  if (text === undefined) throw new Error("llvm-mc and llvm-objcopy are needed: apt-get install llvm");
  writeFileSync(join(assembly.folder, "machine-code.ts"), text);
}
