import type {
  ImageDetail,
  Model,
  ModelServiceTier,
  ReasoningEffort,
  ReasoningSummary,
  Verbosity,
} from "@quire/protocol";

import type { ModelFacts } from "./models/model-facts.ts";

/** The known facts about a model. */
export interface CatalogueEntry {
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
  readonly efforts: readonly ReasoningEffort[];
  readonly defaultReasoningEffort: ReasoningEffort;
  /** `none` for models that give summaries only on request. */
  readonly defaultSummary: ReasoningSummary;
  readonly defaultVerbosity: Verbosity | undefined;
  /** Tokens of input and output together. */
  readonly contextWindow: number;
  readonly hidden: boolean;
  readonly images: boolean;
  readonly fastTier: boolean;
  readonly defaultServiceTier: string | null;
  readonly upgrade: string | null;
}

/** The name of the built-in model. */
export const offlineModel = "quire-offline";

/** The model that is used with a key for OpenAI and no other setting. */
export const defaultOpenaiModel = "gpt-6.1-sol";

/** Assumed for models that are not in the catalogue. */
export const fallbackContextWindow = 272_000;

/** The usable part of a window; the rest covers what the token count misses. */
const usablePart = 0.95;

/** The tokens of a window that may be used. */
export function usableWindow(window: number): number {
  return Math.floor(window * usablePart);
}

const upToXhigh = ["low", "medium", "high", "xhigh"] as const;
const upToMax = [...upToXhigh, "max"] as const;
const upToUltra = [...upToMax, "ultra"] as const;

function hosted(
  slug: string,
  displayName: string,
  rest: Partial<CatalogueEntry> & { description: string },
): CatalogueEntry {
  return {
    slug,
    displayName,
    efforts: upToUltra,
    defaultReasoningEffort: "medium",
    defaultSummary: "none",
    defaultVerbosity: "low",
    contextWindow: fallbackContextWindow,
    hidden: false,
    images: true,
    fastTier: true,
    defaultServiceTier: null,
    upgrade: null,
    ...rest,
  };
}

const entries: readonly CatalogueEntry[] = [
  hosted("gpt-6.1-sol", "GPT-6.1-Sol", { description: "For coding and daily work", defaultReasoningEffort: "low" }),
  hosted("gpt-6-astra", "GPT-6-Astra", { description: "For the hardest work", defaultReasoningEffort: "low" }),
  hosted("gpt-6-sol", "GPT-6-Sol", {
    description: "For coding and daily work, one generation back",
    defaultServiceTier: "priority",
  }),
  hosted("gpt-6-luna", "GPT-6-Luna", {
    description: "Quick and cheap, for easy work",
    efforts: upToMax,
    defaultServiceTier: "priority",
  }),
  hosted("gpt-5.6-sol", "GPT-5.6-Sol", {
    description: "For coding and daily work, two generations back",
    defaultReasoningEffort: "low",
    upgrade: "gpt-6-sol",
  }),
  hosted("gpt-6.1-terra", "GPT-6.1 Terra", {
    description: "For work that needs a large context",
    defaultReasoningEffort: "low",
    contextWindow: 500_000,
  }),
  hosted("gpt-5.6-terra", "GPT-5.6-Terra", { description: "For straightforward work, older", upgrade: "gpt-6-sol" }),
  hosted("gpt-5.6-luna", "GPT-5.6-Luna", {
    description: "Quick and cheap, older",
    efforts: upToMax,
    upgrade: "gpt-6-luna",
  }),
  hosted("gpt-5.5", "GPT-5.5", { description: "For coding, old", efforts: upToXhigh, upgrade: "gpt-6-sol" }),
  hosted("codex-auto-review", "Codex Auto Review", {
    description: "Reviews approvals",
    efforts: upToMax,
    hidden: true,
  }),
];

const offline: CatalogueEntry = hosted(offlineModel, "Quire offline", {
  description: "Built in, answers without a network by fixed rules. Say `help` to learn what it can do.",
  efforts: ["low", "medium", "high"],
  defaultSummary: "auto",
  defaultVerbosity: undefined,
  fastTier: false,
});

const bySlug = new Map([...entries, offline].map((entry) => [entry.slug, entry]));

/** The facts about a model; `undefined` when it is not in the catalogue. */
export function catalogueEntry(slug: string): CatalogueEntry | undefined {
  return bySlug.get(slug);
}

/** The detail in which a model is shown an image unless a client says otherwise. */
export function imageDetail(model: string): ImageDetail {
  return model !== offlineModel && bySlug.has(model) ? "original" : "high";
}

/** The models that a list holds. */
export interface CatalogueQuery {
  readonly includeHidden?: boolean | null | undefined;
  /** The default model, listed even if it is not in the catalogue. */
  readonly defaultModel: string;
}

/** The models for `model/list`. The offline model is among them only where it is the one in use. */
export function listModels({ includeHidden, defaultModel }: CatalogueQuery): Model[] {
  const listed = entries.filter((entry) => includeHidden || !entry.hidden || entry.slug === defaultModel);
  if (!entries.some((entry) => entry.slug === defaultModel)) {
    listed.unshift(catalogueEntry(defaultModel) ?? unknownModel(defaultModel));
  }
  return listed.map((entry) => toModel(entry, entry.slug === defaultModel));
}

/** A model that its provider lists, with the facts about it. */
export function listedModel(id: string, facts: ModelFacts, isDefault: boolean): Model {
  const known = catalogueEntry(id);
  if (known) return toModel(known, isDefault);
  const { name = id, contextWindow, prices, images = true, reasoning } = facts;
  const about = [
    ...(contextWindow === undefined ? [] : [`${Math.round(contextWindow / 1000)}k tokens`]),
    ...(prices === undefined ? [] : [`$${prices.input} in, $${prices.output} out per million`]),
  ];
  const description = about.join(", ") || "Listed by the provider";
  const efforts = reasoning === false ? (["none"] as const) : upToXhigh;
  const entry = { ...unknownModel(id), displayName: name, description, images, efforts };
  return toModel(contextWindow === undefined ? entry : { ...entry, contextWindow }, isDefault);
}

function unknownModel(slug: string): CatalogueEntry {
  const about = { description: "Set in the configuration", efforts: upToXhigh, fastTier: false } as const;
  // Nothing is known of it, so no effort is asked for unless a user sets one.
  return hosted(slug, slug, { ...about, defaultReasoningEffort: "none" });
}

const effortWords: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    low: "Answers soon, thinks little",
    medium: "Thinks as much as most work needs",
    high: "Thinks longer, for hard problems",
    xhigh: "Thinks much longer",
    max: "Thinks as long as it can",
    ultra: "Thinks as long as it can and hands work to sub-agents",
  }),
);

const fast: ModelServiceTier = { id: "priority", name: "Fast", description: "Answers quicker, costs more" };

function toModel(entry: CatalogueEntry, isDefault: boolean): Model {
  return {
    id: entry.slug,
    model: entry.slug,
    upgrade: entry.upgrade,
    upgradeInfo: null,
    availabilityNux: null,
    displayName: entry.displayName,
    description: entry.description,
    modelSpecialty: null,
    hidden: entry.hidden,
    supportedReasoningEfforts: entry.efforts.map((effort) => ({
      reasoningEffort: effort,
      description: effortWords.get(effort) ?? effort,
    })),
    defaultReasoningEffort: entry.defaultReasoningEffort,
    inputModalities: entry.images ? ["text", "image"] : ["text"],
    supportsPersonality: false,
    multiAgentVersion: null,
    additionalSpeedTiers: entry.fastTier ? ["fast"] : [],
    serviceTiers: entry.fastTier ? [fast] : [],
    defaultServiceTier: entry.defaultServiceTier,
    availableAccessPrograms: null,
    isDefault,
  };
}
