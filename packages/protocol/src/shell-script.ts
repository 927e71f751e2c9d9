const word = /^(?:\/\S+\/)?(?:ba|z|da)?sh -l?c ([^\s'"\\]+)$/;
const quoted = /^(?:\/\S+\/)?(?:ba|z|da)?sh -l?c (['"])([\s\S]*)\1$/;

/**
 * The script of a command such as `/bin/bash -lc 'script'`, which is how servers run what a model wrote: the shell around
 * it is the same every time. Any other command, and one that is more than that, is given as it is.
 */
export function shellScript(command: string): string {
  // One word needs no quotes.
  const only = word.exec(command)?.[1];
  if (only !== undefined) return only;
  const [, quote, script] = quoted.exec(command) ?? [];
  if (script === undefined) return command;
  if (quote === "'") {
    // A quote inside that is not escaped ends the script there: the rest is another command, and must be seen.
    const inner = script.replaceAll("'\\''", "");
    return inner.includes("'") ? command : script.replaceAll("'\\''", "'");
  }
  return /^(?:[^"\\]|\\[\s\S])*$/.test(script) ? script.replace(/\\(["\\$`])/g, "$1") : command;
}
