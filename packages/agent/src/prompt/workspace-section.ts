import { FilesystemResource } from "../resources/filesystem-resource.ts";
import { type ResourceBinding, supply } from "../resources/resource-binding.ts";
import type { Session } from "../session/session.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { WorkspaceError } from "../workspace/workspace-error.ts";
import type { CloneOptions } from "./section.ts";
import { Section } from "./section.ts";
import { escapeTemplate } from "./template-text.ts";

/** Options of a {@link WorkspaceSection}. */
export interface WorkspaceSectionOptions {
  /** Default `workspace`. */
  readonly key?: string | undefined;
  /** Default `Workspace`. */
  readonly title?: string | undefined;
  /** The session that it belongs to. */
  readonly session?: Session | undefined;
  /** Lets overrides change its text. Default true. */
  readonly acceptsOverrides?: boolean | undefined;
}

/**
 * Puts a workspace into a prompt: the model reads what is there, tools get its files, and the agent works in its folder.
 * Cleaning the section up cleans the workspace up; a clone uses the same folder, which goes with the last of them.
 */
export class WorkspaceSection extends Section<unknown> {
  readonly workspace: Workspace;
  readonly session: Session | undefined;
  readonly #options: WorkspaceSectionOptions;
  readonly #lease: AsyncDisposable;

  constructor(workspace: Workspace, options: WorkspaceSectionOptions = {}, lease: AsyncDisposable = workspace) {
    const { key = "workspace", title = "Workspace", acceptsOverrides } = options;
    // File names are the host's own, and may hold dollar signs.
    super({ key, title, acceptsOverrides }, escapeTemplate(workspace.summary));
    this.workspace = workspace;
    this.session = options.session;
    this.#options = options;
    this.#lease = lease;
  }

  override resources(): readonly ResourceBinding[] {
    return [supply(FilesystemResource, this.workspace.filesystem)];
  }

  override async cleanup(): Promise<void> {
    await this.#lease[Symbol.asyncDispose]();
  }

  override clone({ session, dispatcher }: CloneOptions): WorkspaceSection {
    if (!session) throw new WorkspaceError("A workspace section is cloned for a session: pass one");
    if (dispatcher !== undefined && session.dispatcher !== dispatcher)
      throw new WorkspaceError("The session that a workspace section is cloned for has another dispatcher");
    return new WorkspaceSection(this.workspace, { ...this.#options, session }, this.workspace.retain());
  }
}
