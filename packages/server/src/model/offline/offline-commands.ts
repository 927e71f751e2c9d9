/** A user's command to the offline model: a word, its argument, and the lines below. */
export interface Command {
  readonly word: CommandWord;
  readonly argument: string;
  readonly body: string;
}

const words = {
  run: "`run: ls -la` runs a command",
  input: "`input: 1234 text` types into a command that is still running",
  write: "`write: notes.txt` and lines below write a file",
  edit: "`edit: notes.txt old => new` replaces a line, or takes lines below with - and +",
  delete: "`delete: notes.txt` deletes a file",
  plan: "`plan: read; change; test` makes a plan",
  propose: "`propose: read; change; test` proposes a plan",
  ask: "`ask: Which one? this | that` asks you",
  tool: '`tool: name {"key": "value"}` calls a tool',
  agent: "`agent: run: ls` lets a sub-agent do it",
  image: "`image: picture.png` looks at a picture",
  search: "`search: words` shows what a web search looks like",
  think: "`think: about this` shows reasoning",
  say: "`say: hello` says just that",
  slow: "`slow: 50` speaks slowly, in so many pieces",
  words: "`words: 500` says so many words at once",
  json: "`json` answers in JSON; with an output schema every answer does",
  retry: "`retry: 2` loses the connection so many times first",
  fail: "`fail: 429`, `fail: 500`, `fail: context` and the like fail that way",
  help: "`help` says this",
} as const;

type CommandWord = keyof typeof words;

/** A line of help for each command. */
export const commandHelp: readonly string[] = Object.values(words);

const line = new RegExp(`^\\s*(${Object.keys(words).join("|")})(?::[ \\t]*(.*))?$`, "i");

/** Words that count alone on their line. The others need a colon, since they may begin any sentence. */
const bare: ReadonlySet<string> = new Set(["help", "json"]);

/** These take all lines below them, up to one with three dashes. */
const bodied: ReadonlySet<CommandWord> = new Set(["write", "edit"]);
const bodyEnd = /^---\s*$/;

/** The commands in a text, each on its own line; text before the first is ignored. */
export function parseCommands(text: string): Command[] {
  const found: { word: CommandWord; argument: string; body: string[] }[] = [];
  let open = false;
  for (const each of text.split("\n")) {
    const match = open ? null : line.exec(each.replace(/\r$/, ""));
    const word = match?.[1]?.toLowerCase() as CommandWord | undefined;
    if (word !== undefined && (match?.[2] !== undefined || bare.has(word))) {
      found.push({ word, argument: (match?.[2] ?? "").trim(), body: [] });
      open = bodied.has(word);
    } else if (open && bodyEnd.test(each)) open = false;
    else found.at(-1)?.body.push(each);
  }
  return found.map(({ word, argument, body }) => ({ word, argument, body: body.join("\n") }));
}
