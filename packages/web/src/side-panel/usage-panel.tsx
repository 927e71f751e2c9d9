import type { RateLimitSnapshot, ThreadTokenUsage } from "@quire/protocol";
import { Gauge } from "lucide-react";
import { formatNumber } from "../items/format.ts";
import { costOf, dollars, usePrices } from "../state/prices.ts";
import { Button, EmptyState, Meter } from "../ui/index.ts";
import { panelWords, priceWords } from "../words/words.ts";
import { Facts, PanelSection } from "./panel.tsx";
import { contextBar, limitBars } from "./usage.ts";

/** Props of {@link UsagePanel}. */
export interface UsagePanelProps {
  readonly usage: ThreadTokenUsage | null;
  /** The model whose price counts. */
  readonly model?: string | null | undefined;
  readonly rateLimits: readonly RateLimitSnapshot[];
  /** Makes room by summarising; undefined where that cannot be done now. */
  readonly onCompact?: (() => void) | undefined;
}

/** Meters for the context window and the account's limits, and what the thread took so far. */
export function UsagePanel({ usage, model, rateLimits, onCompact }: UsagePanelProps) {
  const prices = usePrices();
  const cost = usage === null || model == null ? null : costOf(usage.total, prices[model]);
  const context = contextBar(usage);
  const limits = limitBars(rateLimits, Date.now());
  if (usage === null && limits.length === 0) {
    return (
      <EmptyState icon={<Gauge size={24} />} title={panelWords.nothingUsedYet}>
        {panelWords.afterFirstTurnShowsHow}
      </EmptyState>
    );
  }
  return (
    <div className="side-panel">
      {usage !== null && (
        <PanelSection title={panelWords.thisThread}>
          {context !== null && <Meter {...context} />}
          {context !== null && context.percent >= 60 && onCompact !== undefined && (
            <div>
              <Button size="small" onClick={() => onCompact()}>
                {panelWords.compactThread}
              </Button>
            </div>
          )}
          <Facts
            rows={[
              [panelWords.input, formatNumber(usage.total.inputTokens)],
              [panelWords.cachedInput, formatNumber(usage.total.cachedInputTokens)],
              [panelWords.output, formatNumber(usage.total.outputTokens)],
              [panelWords.reasoning, formatNumber(usage.total.reasoningOutputTokens)],
              [panelWords.allTokens, formatNumber(usage.total.totalTokens)],
              ...(cost === null ? [] : [[priceWords.cost, dollars(cost)] as const]),
            ]}
          />
        </PanelSection>
      )}
      {limits.length > 0 && (
        <PanelSection title={panelWords.accountLimits}>
          {limits.map((bar) => (
            <Meter key={bar.label} {...bar} />
          ))}
          <Credits rateLimits={rateLimits} />
        </PanelSection>
      )}
    </div>
  );
}

function Credits({ rateLimits }: { readonly rateLimits: readonly RateLimitSnapshot[] }) {
  const credits = rateLimits.find((each) => each.credits?.hasCredits === true)?.credits;
  if (!credits) return null;
  return <Facts rows={[[panelWords.credits, credits.unlimited ? "unlimited" : (credits.balance ?? "some")]]} />;
}
