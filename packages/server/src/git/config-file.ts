/** A setting of a git configuration. */
export interface GitSetting {
  /** In lower case, such as `remote`. */
  readonly section: string;
  /** The quoted part, such as `origin`. Case-sensitive. */
  readonly subsection: string | undefined;
  /** In lower case. */
  readonly key: string;
  /** `true` for a key without a value. */
  readonly value: string;
}

/** More than any configuration written by hand. */
const maxSettings = 10_000;

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["b", "\b"],
  ['"', '"'],
  ["\\", "\\"],
]);

/** Reads the text of a git configuration, as git does but without includes. `undefined` where git would refuse it. */
export function parseGitConfig(text: string): GitSetting[] | undefined {
  try {
    return new ConfigReader(text).read();
  } catch (error) {
    if (error instanceof BadConfig) return undefined;
    throw error;
  }
}

class BadConfig extends Error {}

class ConfigReader {
  readonly #text: string;
  #at = 0;
  #section: Pick<GitSetting, "section" | "subsection"> = { section: "", subsection: undefined };

  constructor(text: string) {
    this.#text = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  }

  read(): GitSetting[] {
    const settings: GitSetting[] = [];
    for (let next = this.#peek(); next !== undefined; next = this.#peek()) {
      if (/\s/.test(next)) this.#at++;
      else if (next === "#" || next === ";") this.#skipLine();
      else if (next === "[") this.#header();
      else settings.push(this.#setting());
      if (settings.length > maxSettings) throw new BadConfig();
    }
    return settings;
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #take(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) throw new BadConfig();
    this.#at = pattern.lastIndex;
    return found;
  }

  #skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end === -1 ? this.#text.length : end + 1;
  }

  #header(): void {
    const [, name = "", , quoted] = this.#take(/\[([A-Za-z0-9.-]+)([ \t]+"((?:\\[^\n]|[^"\\\n])*)")?\]/y);
    const dot = name.indexOf(".");
    // The old form, in which case does not matter either.
    const old = dot === -1 ? undefined : name.slice(dot + 1).toLowerCase();
    this.#section = {
      section: (dot === -1 ? name : name.slice(0, dot)).toLowerCase(),
      subsection: quoted === undefined ? old : quoted.replace(/\\(.)/g, "$1"),
    };
  }

  #setting(): GitSetting {
    const [, key = "", sign] = this.#take(/([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)/y);
    return { ...this.#section, key: key.toLowerCase(), value: sign === "=" ? this.#value() : this.#noValue() };
  }

  #noValue(): string {
    const next = this.#peek();
    if (next !== undefined && next !== "\n") throw new BadConfig();
    return "true";
  }

  /** Reads to the end of the line, without comment and outer blanks; a final backslash joins the next line. */
  #value(): string {
    let value = "";
    let quoted = false;
    /** The length up to the last character that is not a blank. */
    let kept = 0;
    for (let next = this.#peek(); next !== undefined && next !== "\n"; next = this.#peek()) {
      this.#at++;
      if (!quoted && (next === "#" || next === ";")) {
        this.#skipLine();
        this.#at--;
        break;
      }
      if (next === '"') quoted = !quoted;
      else if (next === "\\") value += this.#escaped();
      else if (quoted || (next !== " " && next !== "\t") || value !== "") value += next;
      if (quoted || (next !== " " && next !== "\t")) kept = value.length;
    }
    if (quoted) throw new BadConfig();
    return value.slice(0, kept);
  }

  #escaped(): string {
    const next = this.#text[this.#at++];
    if (next === "\n") return "";
    const meant = escapes.get(next ?? "");
    if (meant === undefined) throw new BadConfig();
    return meant;
  }
}
