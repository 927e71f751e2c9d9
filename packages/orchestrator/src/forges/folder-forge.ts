import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { TrackerError } from "../tracker/tracker-error.ts";
import { asObject, type JsonObject, text } from "../trackers/records/normalize.ts";
import { textSetting } from "../trackers/records/settings.ts";
import type { Forge, ForgeAdapter, PullRequest, PullStatus, PullText } from "./forge.ts";

/** Heading below which people write what has to change. */
const reviewHeading = "## Review";

/**
 * Pull requests as Markdown files in a folder, for a repository without a server. People review by editing `review` and
 * `checks` of the front matter, and by words below the heading `## Review`.
 */
export const folderForge: ForgeAdapter = {
  settings: ["path"],
  create(provider, { baseDir, env }) {
    const path = textSetting(provider, "path", env) ?? "pulls";
    const home = path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
    const folder = isAbsolute(home) ? resolve(home) : resolve(baseDir, home);
    const fileOf = ({ id }: PullRequest) => join(folder, `${id}.md`);
    const forge: Forge = {
      kind: "folder",
      remote: null,
      credential: null,
      hasChecks: false,
      secretEnvNames: [],
      secrets: [],
      async find(branch) {
        const pull = pullOf(branch, folder);
        const isThere = await access(fileOf(pull)).then(
          () => true,
          () => false,
        );
        return isThere && asState((await read(fileOf(pull))).front.state) === "open" ? pull : null;
      },
      async open(pull) {
        const made = pullOf(pull.branch, folder);
        await mkdir(folder, { recursive: true });
        await write(
          fileOf(made),
          { ...frontOf(pull), state: "open", review: "none", checks: "none" },
          plain(pull.body),
        );
        return made;
      },
      async edit(pull, words) {
        const { front, review } = await read(fileOf(pull));
        // What was said of another commit says nothing of this one.
        const anew = front.commit === words.sha ? {} : { review: "none", checks: "none" };
        await write(fileOf(pull), { ...front, ...frontOf(words), ...anew }, `${plain(words.body)}\n\n${review}`);
      },
      async status(pull): Promise<PullStatus> {
        const { front, review } = await read(fileOf(pull));
        const said = review.replace(reviewHeading, "").trim();
        return {
          state: asState(front.state),
          sha: null,
          checks: oneOf(front.checks, ["pending", "passed", "failed"]) ?? "none",
          review: oneOf(front.review, ["approved", "changes_requested"]) ?? "none",
          feedback: said === "" ? [] : [{ id: `review ${said}`, text: said }],
        };
      },
      async merge(pull, { land }) {
        await land();
        const { front, body, review } = await read(fileOf(pull));
        await write(fileOf(pull), { ...front, state: "merged" }, body + review);
        return true;
      },
    };
    return forge;
  },
};

function pullOf(branch: string, folder: string): PullRequest {
  const id = branch.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\./, "_");
  return { id, url: join(folder, `${id}.md`) };
}

const frontOf = ({ title, branch, base, sha }: PullText) => ({ title, branch, base, commit: sha });
/** An agent's words cannot pass for a reviewer's. */
const plain = (body: string) => body.replace(/^## Review/gm, "### Review").trimEnd();
const asState = (value: unknown) => oneOf(value, ["merged", "closed"]) ?? "open";

function oneOf<T extends string>(value: unknown, all: readonly T[]): T | undefined {
  const name = text(value)?.trim().toLowerCase().replaceAll(" ", "_");
  return all.find((one) => one === name);
}

interface PullFile {
  readonly front: JsonObject;
  readonly body: string;
  /** From its heading on. */
  readonly review: string;
}

async function read(path: string): Promise<PullFile> {
  const content = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new TrackerError("tracker_request", `${path} cannot be read: was it moved?`, { cause });
  });
  const [, yaml = "", rest = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(content.replaceAll("\r\n", "\n")) ?? [];
  try {
    const at = rest.lastIndexOf(`\n${reviewHeading}`);
    const body = at < 0 ? rest : rest.slice(0, at + 1);
    return { front: asObject(parse(yaml)) ?? {}, body: body.trimStart(), review: at < 0 ? "" : rest.slice(at + 1) };
  } catch (cause) {
    throw new TrackerError("tracker_response", `${path} has front matter that is no YAML: mend it.`, { cause });
  }
}

async function write(path: string, front: object, body: string): Promise<void> {
  await writeFile(path, `---\n${stringify(front)}---\n\n${body.trimEnd()}\n`);
}
