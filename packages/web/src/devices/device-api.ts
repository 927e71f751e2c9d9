import type { DeviceInfo, PairAnswer } from "@quire/protocol/gateway";

/** The gateway's list of signed-in browsers. */
export async function listDevices(): Promise<readonly DeviceInfo[]> {
  return ((await (await call("/api/devices")).json()) as { readonly devices: readonly DeviceInfo[] }).devices;
}

/** Signs a device out. */
export async function revokeDevice(id: string): Promise<void> {
  await call(`/api/devices/${encodeURIComponent(id)}`, { method: "DELETE" });
}

/** Asks for a code that signs one more device in. */
export async function startPairing(): Promise<PairAnswer> {
  return (await (await call("/api/pair", { method: "POST" })).json()) as PairAnswer;
}

/** True where this browser can be told of news while no page is open: over https, or on this machine. */
export const canPush = (): boolean => "serviceWorker" in navigator && "PushManager" in globalThis;

/** Tells the gateway where this browser hears news. Rejects where the browser does not allow it. */
export async function subscribe(): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("blocked");
  const { publicKey } = (await (await call("/api/push")).json()) as { readonly publicKey: string };
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const headers = { "content-type": "application/json" };
  await call("/api/push", { method: "POST", headers, body: JSON.stringify(subscription) });
}

/** Ends the news to this browser. */
export async function unsubscribe(): Promise<void> {
  await call("/api/push", { method: "DELETE" });
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}

async function call(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, { ...init, credentials: "same-origin" });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
}
