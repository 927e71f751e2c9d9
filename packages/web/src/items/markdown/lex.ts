import { Lexer, type Token } from "marked";

/** Paragraphs beyond this many characters are shown as they are written: reading their marks could take too long. */
const maxInline = 8000;

/** Blocks nested deeper than this are shown as they are written. */
const maxNesting = 40;

/** Reads markdown (GitHub's flavour) into tokens. What is too deep or too long to read safely comes as plain text. */
export function lexMarkdown(text: string): readonly Token[] {
  const source = text.replace(/\r\n?/g, "\n");
  if (nestsTooDeep(source)) return [plainParagraph(source)];
  try {
    const lexer = new Lexer({ gfm: true });
    lexer.blockTokens(source, lexer.tokens);
    for (const { src, tokens } of lexer.inlineQueue) {
      if (src.length > maxInline) tokens.push({ type: "text", raw: src, text: src });
      else lexer.inlineTokens(src, tokens);
    }
    return lexer.tokens;
  } catch {
    // The reader gave up (it recurses); the text itself can always be shown.
    return [plainParagraph(source)];
  }
}

const plainParagraph = (text: string): Token => ({
  type: "paragraph",
  raw: text,
  text,
  tokens: [{ type: "text", raw: text, text }],
});

const deepMarks = new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])){${maxNesting}}`, "m");
const deepBrackets = new RegExp(`\\[{${maxNesting}}|\\({${maxNesting * 4}}`);

const nestsTooDeep = (text: string): boolean => deepMarks.test(text) || deepBrackets.test(text);
