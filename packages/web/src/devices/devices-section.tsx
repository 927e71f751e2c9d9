import type { DeviceInfo, PairAnswer } from "@quire/protocol/gateway";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { PanelSection, useLoaded } from "../side-panel/index.ts";
import { messageOf } from "../state/index.ts";
import { Badge, Button, Notice, Switch, Visible } from "../ui/index.ts";
import { deviceWords as words } from "../words/words.ts";
import { canPush, listDevices, revokeDevice, startPairing, subscribe, unsubscribe } from "./device-api.ts";
import { qrCode } from "./qr.ts";
import "./devices.css";

/** The browsers that are signed in to this gateway: pairing one more, news by push, signing one out. */
export function DevicesSection(): ReactNode {
  const { value: devices, error, reload } = useLoaded(listDevices);
  const current = devices?.find((each) => each.current);
  return (
    <div className="side-settings">
      <PanelSection title={words.add}>
        <Pairing onPaired={reload} known={devices?.length ?? 0} />
      </PanelSection>
      <PanelSection title={words.news}>
        <PushSwitch on={current?.push === true} onChanged={reload} />
      </PanelSection>
      <PanelSection title={words.signedIn}>
        {error !== null && <Notice tone="danger">{error}</Notice>}
        <ul className="devices">
          {devices?.map((device) => (
            <DeviceRow key={device.id} device={device} onRevoked={reload} />
          ))}
        </ul>
      </PanelSection>
    </div>
  );
}

interface PairingProps {
  readonly onPaired: () => void;
  /** Devices so far: one more means that somebody used the code. */
  readonly known: number;
}

/** Pause between readings of the list while a code is shown, in ms. */
const pollMs = 2000;

function Pairing({ onPaired, known }: PairingProps): ReactNode {
  const [pair, setPair] = useState<PairAnswer | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [before, setBefore] = useState(0);
  useEffect(() => {
    if (pair === null) return;
    const timer = setInterval(onPaired, pollMs);
    const end = setTimeout(() => setPair(null), pair.expiresMs - Date.now());
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, [pair, onPaired]);
  const start = (): void => {
    setError(null);
    setBefore(known);
    startPairing().then(setPair, (reason: unknown) => setError(messageOf(reason)));
  };
  if (pair === null || known > before) {
    return (
      <>
        {pair !== null && <Notice tone="success">{words.paired}</Notice>}
        <p className="side-note">{words.addHint}</p>
        <Button onClick={start}>{words.pair}</Button>
        {error !== null && <Notice tone="danger">{error}</Notice>}
      </>
    );
  }
  const origin = reachableOrigin(pair.addresses);
  if (origin === null) {
    return (
      <>
        <Notice tone="warning">{words.notReachable}</Notice>
        <Code code={pair.code} />
      </>
    );
  }
  const address = `${origin}/#token=${pair.code}`;
  return (
    <div className="devices-pair">
      <QrImage text={address} label={words.qr(origin)} />
      <div>
        <p>{words.scan}</p>
        <p className="devices-origin">{origin}</p>
        <Code code={pair.code} />
        <p className="side-note">{words.expires}</p>
      </div>
    </div>
  );
}

function Code({ code }: { readonly code: string }): ReactNode {
  return (
    <p>
      {words.code} <code className="devices-code">{code}</code>
    </p>
  );
}

/** Origin at which others find this page: where it is open already, unless that is this machine alone. */
function reachableOrigin(addresses: readonly string[]): string | null {
  if (!/^(?:localhost|127\.|\[::1\])/.test(location.hostname)) return location.origin;
  return addresses[0] ?? null;
}

/** Modules of light around a code. */
const quiet = 4;

function QrImage({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const code = qrCode(text);
  const size = code.length + 2 * quiet;
  const path = code.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + quiet} ${y + quiet}h1v1h-1z`] : [])));
  return (
    <svg
      className="devices-qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join("")} fill="#000" />
    </svg>
  );
}

function PushSwitch({ on, onChanged }: { readonly on: boolean; readonly onChanged: () => void }): ReactNode {
  const [problem, setProblem] = useState<string | null>(null);
  const change = useCallback(
    (wanted: boolean): void => {
      setProblem(null);
      (wanted ? subscribe() : unsubscribe()).then(onChanged, (reason: unknown) => {
        const why = messageOf(reason);
        setProblem(why === "blocked" ? words.blocked : words.pushFailed(why));
      });
    },
    [onChanged],
  );
  if (!canPush()) return <Notice>{words.noPush}</Notice>;
  return (
    <>
      <Switch label={words.push} hint={words.pushHint} checked={on} onChange={change} />
      {problem !== null && <Notice tone="warning">{problem}</Notice>}
    </>
  );
}

interface DeviceRowProps {
  readonly device: DeviceInfo;
  readonly onRevoked: () => void;
}

function DeviceRow({ device, onRevoked }: DeviceRowProps): ReactNode {
  const [error, setError] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const revoke = (): void => {
    revokeDevice(device.id).then(
      () => (device.current ? location.reload() : onRevoked()),
      (reason: unknown) => setError(messageOf(reason)),
    );
  };
  return (
    <li className="devices-row">
      <span className="devices-name">
        <Visible text={device.name} oneLine /> {device.current && <Badge>{words.thisOne}</Badge>}
        <span className="side-note">{words.seen(new Date(device.seenMs).toLocaleDateString("en", dateForm))}</span>
      </span>
      {asking ? (
        <>
          <Button size="small" variant="danger" onClick={revoke}>
            {words.revokeNow}
          </Button>
          <Button size="small" variant="ghost" onClick={() => setAsking(false)}>
            {words.keep}
          </Button>
        </>
      ) : (
        <Button size="small" variant="ghost" aria-label={words.revoke(device.name)} onClick={() => setAsking(true)}>
          {words.signOut}
        </Button>
      )}
      {error !== null && <Notice tone="danger">{error}</Notice>}
    </li>
  );
}

const dateForm = { day: "numeric", month: "short" } as const;
