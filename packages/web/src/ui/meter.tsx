interface MeterProps {
  readonly label: string;
  /** 0 to 100. */
  readonly percent: number;
  /** Beside the label, such as "34 %, resets in 2 h". */
  readonly detail?: string | undefined;
}

/** A bar that fills up; its colour warns from 75 % and alarms from 90 %. */
export function Meter({ label, percent, detail }: MeterProps) {
  const value = Math.max(0, Math.min(100, percent));
  const level = value >= 90 ? "danger" : value >= 75 ? "warning" : "normal";
  return (
    <div className="ui-meter">
      <div className="ui-meter-head">
        <span>{label}</span>
        {detail !== undefined && <span className="ui-meter-detail">{detail}</span>}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers do not let the native one be styled alike */}
      <div
        className="ui-meter-track"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(value)}
        aria-valuetext={detail}
      >
        <div className={`ui-meter-fill is-${level}`} style={{ width: `${value}%` }} />
      </div>
    </div>
  );
}
