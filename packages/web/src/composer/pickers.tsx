import type { ThreadSettingsState } from "@quire/client/view";
import type { AskForApproval, CollaborationModeMask, ModeKind, Model, SandboxPolicy } from "@quire/protocol";
import { Box, BrainCircuit, ChevronDown, Gauge, Hand, ListTodo } from "lucide-react";
import type { ReactNode } from "react";
import type { TurnOverrides } from "../state/actions.ts";
import type { Loadable } from "../state/model.ts";
import { Button, Menu, type MenuItem } from "../ui/index.ts";
import { approvalChoices, approvalLabel, sandboxChoices, sandboxLabel } from "./permissions.ts";

interface PickersProps {
  readonly settings: ThreadSettingsState;
  readonly models: Loadable<readonly Model[]>;
  readonly modelProblem?: ((model: string) => string | null) | undefined;
  readonly modes: readonly CollaborationModeMask[];
  /** Choices for the next turn. */
  readonly overrides: TurnOverrides;
  readonly onChange: (overrides: TurnOverrides) => void;
}

/** The choices that hold from the next turn on: mode, model, effort, sandbox, approvals. */
export function Pickers({ settings, models, modelProblem, modes, overrides, onChange }: PickersProps) {
  const model = overrides.model ?? settings.model;
  const known = models.value?.find((each) => each.model === model || each.id === model);
  const effort = overrides.effort ?? settings.effort ?? known?.defaultReasoningEffort ?? null;
  const sandbox = overrides.sandboxPolicy ?? settings.sandbox;
  const approval = overrides.approvalPolicy ?? settings.approvalPolicy;
  const efforts = known?.supportedReasoningEfforts ?? [];
  const mode = overrides.mode ?? settings.mode ?? "default";
  const choices = modeChoices(modes);
  return (
    <>
      {choices.length > 1 && (
        <Picker
          label="Mode"
          value={choices.find((choice) => choice.mode === mode)?.name ?? capitalised(mode)}
          icon={<ListTodo size={14} aria-hidden="true" />}
          className={mode === "default" ? undefined : "is-chosen"}
          items={choices.map(({ name, mode: chosen }) => ({
            id: chosen,
            label: name,
            description: modeDescriptions[chosen],
            checked: chosen === mode,
            onSelect: () => onChange({ ...overrides, mode: chosen }),
          }))}
        />
      )}
      <Picker
        label="Model"
        value={known?.displayName ?? model ?? "Default model"}
        icon={<BrainCircuit size={14} aria-hidden="true" />}
        className="composer-model"
        items={modelItems(models, {
          current: model,
          problem: modelProblem ?? (() => null),
          onSelect: (chosen) => {
            const { effort: _, ...rest } = overrides;
            onChange({ ...rest, model: chosen });
          },
        })}
        footer={modelsFooter(models)}
      />
      {efforts.length > 1 && (
        <Picker
          label="Effort"
          value={capitalised(effort ?? "default")}
          icon={<Gauge size={14} aria-hidden="true" />}
          items={efforts.map(({ reasoningEffort, description }) => ({
            id: reasoningEffort,
            label: capitalised(reasoningEffort),
            description,
            checked: reasoningEffort === effort,
            onSelect: () => onChange({ ...overrides, effort: reasoningEffort }),
          }))}
        />
      )}
      <Picker
        label="Sandbox"
        value={sandboxLabel(sandbox)}
        icon={<Box size={14} aria-hidden="true" />}
        warn={sandbox?.type === "dangerFullAccess"}
        items={sandboxChoices.map(({ id, label, description, value }) => ({
          id,
          label,
          description,
          checked: sandbox?.type === id,
          // The folders and the network of the present policy stay when it is chosen again.
          onSelect: () => onChange({ ...overrides, sandboxPolicy: sameKind(settings.sandbox, value) }),
        }))}
      />
      <Picker
        label="Approvals"
        value={approvalLabel(approval)}
        icon={<Hand size={14} aria-hidden="true" />}
        items={approvalChoices.map(({ id, label, description, value }) => ({
          id,
          label,
          description,
          checked: isSame(approval, value),
          onSelect: () => onChange({ ...overrides, approvalPolicy: value }),
        }))}
      />
    </>
  );
}

const modeDescriptions: Readonly<Record<ModeKind, string>> = {
  default: "The agent works on the task at once",
  plan: "The agent looks, asks and proposes a plan; it changes nothing",
};

/** The usual way to work comes first, whatever the order of the server. */
function modeChoices(modes: readonly CollaborationModeMask[]): readonly { name: string; mode: ModeKind }[] {
  const known = modes.flatMap(({ name, mode }) =>
    mode == null || !(mode in modeDescriptions) ? [] : [{ name, mode }],
  );
  return known.toSorted((a, b) => Number(b.mode === "default") - Number(a.mode === "default"));
}

interface PickerProps {
  readonly label: string;
  readonly value: string;
  readonly icon: ReactNode;
  readonly items: readonly MenuItem[];
  readonly warn?: boolean | undefined;
  readonly footer?: ReactNode;
  readonly className?: string | undefined;
}

function Picker({ label, value, icon, items, warn = false, footer, className }: PickerProps) {
  return (
    <Menu
      label={label}
      side="above"
      sections={[{ heading: label, items }]}
      footer={footer}
      trigger={(props) => (
        <Button
          {...props}
          variant="ghost"
          size="small"
          icon={icon}
          className={`composer-picker ${warn ? "is-warning" : ""} ${className ?? ""}`}
          aria-label={`${label}: ${value}`}
          title={`${label}: ${value}`}
        >
          <span className="composer-picker-label">{label}</span>
          <span className="composer-picker-value">{value}</span>
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
  if (error !== null) return `The models could not be listed: ${error}`;
  if (loading && value === null) return "Loading the models…";
  return value === null || value.length === 0 ? "This server lists no models; it uses its own default." : undefined;
}

const sameKind = (present: SandboxPolicy | null, chosen: SandboxPolicy): SandboxPolicy =>
  present?.type === chosen.type ? present : chosen;

const isSame = (a: AskForApproval | null | undefined, b: AskForApproval): boolean => a === b;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
