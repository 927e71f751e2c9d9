/**
 * Highlights code in a worker: compiling one grammar takes a browser hundreds of milliseconds, in which the page would
 * not react.
 */
import type { GrammarState, HighlighterCore } from "shiki/core";
import { itemWords } from "../../words/words.ts";
import type { CodeTokens, HighlightReply, HighlightRequest } from "./token-kinds.ts";

/** Characters of a line beyond which it is left plain: minified code would take seconds. */
const maxLineLength = 2000;

interface Text {
  state: GrammarState | undefined;
}

type Highlight = (text: Text, language: string, lines: readonly string[]) => CodeTokens[];

serve();

function serve(): void {
  const texts = new Map<number, Text>();
  let highlighter: Promise<Highlight> | undefined;
  // One after another: the lines of a text depend on those before them.
  let queue = Promise.resolve();
  const answer = async ({ id, language, lines }: HighlightRequest): Promise<void> => {
    if (lines === null) {
      texts.delete(id);
      return;
    }
    highlighter ??= load();
    const highlight = await highlighter;
    await languageLoaded(language);
    const text = texts.get(id) ?? { state: undefined };
    texts.set(id, text);
    const reply: HighlightReply = { id, lines: highlight(text, language, lines) };
    self.postMessage(reply);
  };
  self.onmessage = ({ data }: MessageEvent<HighlightRequest>) => {
    queue = queue.then(() => answer(data)).catch((error: unknown) => console.warn(itemWords.noHighlighting, error));
  };
}

let core: HighlighterCore | undefined;

async function load(): Promise<Highlight> {
  const [{ createHighlighterCore }, { createJavaScriptRegexEngine }, { kindTheme, kindOfColour }] = await Promise.all([
    import("shiki/core"),
    import("shiki/engine/javascript"),
    import("./theme.ts"),
  ]);
  const created = await createHighlighterCore({
    themes: [kindTheme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  core = created;
  return (text, language, lines) => {
    const options = { lang: language, theme: "kinds", tokenizeMaxLineLength: maxLineLength };
    const tokens = created.codeToTokensBase(lines.join("\n"), {
      ...options,
      ...(text.state !== undefined && { grammarState: text.state }),
    });
    text.state = created.getLastGrammarState(tokens);
    return tokens.map((line) => line.flatMap(({ content, color }) => [content.length, kindOfColour(color)]));
  };
}

async function languageLoaded(language: string): Promise<void> {
  if (core?.getLoadedLanguages().includes(language) !== false) return;
  const { grammars } = await import("./grammars.ts");
  const grammar = grammars[language];
  if (grammar !== undefined) await core.loadLanguage(grammar);
}
