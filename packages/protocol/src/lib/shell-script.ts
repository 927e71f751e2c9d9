import { wordsOf } from "./shell-words.ts";

const shells = /^(?:\/bin\/|\/usr\/bin\/|\/usr\/local\/bin\/|\/opt\/homebrew\/bin\/)?(?:ba|z|da)?sh$/;

/**
 * The script of a command such as `/bin/bash -lc 'script'`, which is how servers run what a model wrote: the shell around
 * it is the same every time. A command that is anything else, or more than that, is given as it is, and so is one whose
 * shell is not among those of the system.
 */
export function shellScript(command: string): string {
  const words = wordsOf(command);
  if (words?.length !== 3) return command;
  const [shell = "", flag = "", script = ""] = words;
  return shells.test(shell) && (flag === "-lc" || flag === "-c") ? script : command;
}
