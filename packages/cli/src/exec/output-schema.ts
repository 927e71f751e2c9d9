import { ExecError } from "./prompt.ts";
import { refuseLinks } from "./refuse-links.ts";

/**
 * Reads the JSON Schema that the last message must fit.
 * @param folders Folders that commands of the model can write.
 */
export async function readOutputSchema(file: string | undefined, folders: readonly string[]): Promise<unknown> {
  if (file === undefined) return undefined;
  refuseLinks(file, folders);
  const text = await Bun.file(file)
    .text()
    .catch((error: Error) => {
      throw new ExecError(`Failed to read output schema file ${file}: ${error.message}`);
    });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ExecError(`Output schema file ${file} is not valid JSON: ${(error as Error).message}`);
  }
}
