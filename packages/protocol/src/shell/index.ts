export {
  isAssignment,
  type Pipeline,
  parseScript,
  plainCommands,
  type SimpleCommand,
} from "./parse-script.ts";
export { quoteCommand, quoteWord } from "./quote.ts";
export type { Redirect, Word } from "./word.ts";
