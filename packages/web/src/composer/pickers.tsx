import type { ThreadSettingsState } from "@quire/client/view";
import type { AskForApproval, CollaborationModeMask, ModeKind, Model, SandboxPolicy } from "@quire/protocol";
import { BrainCircuit, ChevronDown, ListTodo, Shield, ShieldAlert, ShieldCheck, ShieldOff } from "lucide-react";
import type { ReactNode } from "react";
import type { TurnOverrides } from "../state/actions.ts";
import type { Loadable } from "../state/model.ts";
import { Button, Menu, type MenuItem, type MenuSection } from "../ui/index.ts";
import { composerWords, permissionWords } from "../words/words.ts";
import {
  approvalChoices,
  approvalLabel,
  isAutomatic,
  type Risk,
  reviewerChoices,
  riskOf,
  sandboxChoices,
  sandboxLabel,
} from "./permissions.ts";

interface PickersProps {
  readonly settings: ThreadSettingsState;
  readonly models: Loadable<readonly Model[]>;
  readonly modelProblem?: ((model: string) => string | null) | undefined;
  readonly modes: readonly CollaborationModeMask[];
  /** Choices for the next turn. */
  readonly overrides: TurnOverrides;
  readonly onChange: (overrides: TurnOverrides) => void;
}

/** The choices that hold from the next turn on: mode, model with its effort, permissions. */
export function Pickers({ settings, models, modelProblem, modes, overrides, onChange }: PickersProps) {
  const model = overrides.model ?? settings.model;
  const known = models.value?.find((each) => each.model === model || each.id === model);
  const effort = overrides.effort ?? settings.effort ?? known?.defaultReasoningEffort ?? null;
  const sandbox = overrides.sandboxPolicy ?? settings.sandbox;
  const approval = overrides.approvalPolicy ?? settings.approvalPolicy;
  const efforts = known?.supportedReasoningEfforts ?? [];
  const mode = overrides.mode ?? settings.mode ?? "default";
  const choices = modeChoices(modes);
  const reviewer = overrides.approvalsReviewer ?? settings.approvalsReviewer;
  const risk = riskOf(sandbox, approval);
  const modelName = known?.displayName ?? model ?? composerWords.defaultModel;
  const isOtherEffort = effort !== null && effort !== known?.defaultReasoningEffort;
  return (
    <>
      {choices.length > 1 && (
        <Picker
          label={composerWords.mode}
          value={choices.find((choice) => choice.mode === mode)?.name ?? capitalised(mode)}
          icon={<ListTodo size={14} aria-hidden="true" />}
          className={mode === "default" ? "is-quiet" : "is-chosen"}
          sections={[
            {
              heading: composerWords.mode,
              items: choices.map(({ name, mode: chosen }) => ({
                id: chosen,
                label: name,
                description: composerWords.modes[chosen],
                checked: chosen === mode,
                onSelect: () => onChange({ ...overrides, mode: chosen }),
              })),
            },
          ]}
        />
      )}
      <Picker
        label={composerWords.model}
        value={isOtherEffort ? `${modelName}, ${effort}` : modelName}
        icon={<BrainCircuit size={14} aria-hidden="true" />}
        className="composer-model"
        sections={[
          {
            heading: composerWords.model,
            items: modelItems(models, {
              current: model,
              problem: modelProblem ?? (() => null),
              onSelect: (chosen) => {
                const { effort: _, ...rest } = overrides;
                onChange({ ...rest, model: chosen });
              },
            }),
          },
          ...(efforts.length < 2
            ? []
            : [
                {
                  heading: composerWords.effort,
                  items: efforts.map(({ reasoningEffort, description }) => ({
                    id: `effort ${reasoningEffort}`,
                    label: capitalised(reasoningEffort),
                    description,
                    checked: reasoningEffort === effort,
                    onSelect: () => onChange({ ...overrides, effort: reasoningEffort }),
                  })),
                },
              ]),
        ]}
        footer={modelsFooter(models)}
      />
      <Picker
        label={permissionWords.permissions}
        value={[
          sandboxLabel(sandbox),
          approvalLabel(approval),
          ...(isAutomatic(reviewer) ? [permissionWords.autoShort] : []),
        ].join(", ")}
        short={sandboxLabel(sandbox)}
        icon={<RiskIcon risk={risk} />}
        className={`composer-permissions is-${risk}`}
        sections={[
          {
            heading: permissionWords.sandbox,
            items: sandboxChoices.map(({ id, label, description, value }) => ({
              id,
              label,
              description,
              icon: <RiskIcon risk={riskOf(value, approval)} />,
              danger: value.type === "dangerFullAccess",
              checked: sandbox?.type === id,
              // The folders and the network of the present policy stay when it is chosen again.
              onSelect: () => onChange({ ...overrides, sandboxPolicy: sameKind(settings.sandbox, value) }),
            })),
          },
          {
            heading: permissionWords.approvals,
            items: approvalChoices.map(({ id, label, description, value }) => ({
              id,
              label,
              description,
              icon: <RiskIcon risk={riskOf(sandbox, value)} />,
              checked: isSame(approval, value),
              onSelect: () => onChange({ ...overrides, approvalPolicy: value }),
            })),
          },
          ...(reviewer === null
            ? []
            : [
                {
                  heading: permissionWords.reviewed,
                  items: reviewerChoices.map(({ id, label, description, value }) => ({
                    id,
                    label,
                    description,
                    checked: isAutomatic(reviewer) === isAutomatic(value),
                    onSelect: () => onChange({ ...overrides, approvalsReviewer: value }),
                  })),
                },
              ]),
        ]}
      />
    </>
  );
}

const riskIcons = { safe: ShieldCheck, guarded: Shield, risky: ShieldAlert, dangerous: ShieldOff };

function RiskIcon({ risk }: { readonly risk: Risk }): ReactNode {
  const Icon = riskIcons[risk];
  return <Icon size={14} aria-hidden="true" className={`composer-risk is-${risk}`} />;
}

/** The usual way to work comes first, whatever the order of the server. */
function modeChoices(modes: readonly CollaborationModeMask[]): readonly { name: string; mode: ModeKind }[] {
  const known = modes.flatMap(({ name, mode }) =>
    mode == null || !(mode in composerWords.modes) ? [] : [{ name, mode }],
  );
  return known.toSorted((a, b) => Number(b.mode === "default") - Number(a.mode === "default"));
}

interface PickerProps {
  readonly label: string;
  readonly value: string;
  readonly icon: ReactNode;
  /** Shown in place of the value, where that is long. */
  readonly short?: string | undefined;
  readonly sections: readonly MenuSection[];
  readonly footer?: ReactNode;
  readonly className?: string | undefined;
}

function Picker({ label, value, short = value, icon, sections, footer, className }: PickerProps) {
  return (
    <Menu
      label={label}
      side="above"
      sections={sections}
      footer={footer}
      trigger={(props) => (
        <Button
          {...props}
          variant="ghost"
          size="small"
          icon={icon}
          className={`composer-picker ${className ?? ""}`}
          aria-label={`${label}: ${value}`}
          title={`${label}: ${value}`}
        >
          <span className="composer-picker-label">{label}</span>
          <span className="composer-picker-value">{short}</span>
          <ChevronDown size={12} aria-hidden="true" />
        </Button>
      )}
    />
  );
}

interface ModelChoice {
  readonly current: string | null | undefined;
  readonly problem: (model: string) => string | null;
  readonly onSelect: (model: string) => void;
}

/** Models that can run come first; the others say why they cannot. */
function modelItems(
  models: Loadable<readonly Model[]>,
  { current, problem, onSelect }: ModelChoice,
): readonly MenuItem[] {
  const items = (models.value ?? [])
    .filter((model) => !model.hidden || model.model === current)
    .map((model): MenuItem => {
      const why = problem(model.model);
      return {
        id: model.id,
        label: model.displayName,
        description: why ?? model.description,
        checked: model.model === current || model.id === current,
        disabled: why !== null,
        onSelect: () => onSelect(model.model),
      };
    });
  return items.toSorted((a, b) => Number(a.disabled) - Number(b.disabled));
}

function modelsFooter({ value, loading, error }: Loadable<readonly Model[]>): ReactNode {
  if (error !== null) return composerWords.modelsFailed(error);
  if (loading && value === null) return composerWords.modelsLoading;
  return value === null || value.length === 0 ? composerWords.noModels : undefined;
}

const sameKind = (present: SandboxPolicy | null, chosen: SandboxPolicy): SandboxPolicy =>
  present?.type === chosen.type ? present : chosen;

const isSame = (a: AskForApproval | null | undefined, b: AskForApproval): boolean => a === b;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
