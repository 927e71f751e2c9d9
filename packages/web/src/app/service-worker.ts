import type { PushNotice } from "@quire/protocol/gateway";

/** The parts of a service worker's scope that are used here; the page's own types know none of them. */
interface WorkerScope {
  readonly registration: {
    showNotification(title: string, options: object): Promise<void>;
  };
  readonly clients: {
    matchAll(options: object): Promise<readonly WorkerClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}

interface WorkerClient {
  readonly url: string;
  readonly visibilityState: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}

interface WorkerEvent {
  readonly data?: { json(): unknown } | null;
  readonly action?: string;
  readonly notification?: { readonly data: PushNotice; close(): void };
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Shows news while no page is in sight, and answers from the notice. Nothing is cached: the page without its gateway
 * would be of no use.
 */
export function startWorker(scope: WorkerScope): void {
  scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
  scope.addEventListener("push", (event) => {
    const notice = event.data?.json() as PushNotice | undefined;
    if (notice !== undefined) event.waitUntil(show(scope, notice));
  });
  scope.addEventListener("notificationclick", (event) => {
    const { notification, action = "" } = event;
    if (notification === undefined) return;
    notification.close();
    event.waitUntil(clicked(scope, notification.data, action));
  });
}

async function show({ registration, clients }: WorkerScope, notice: PushNotice): Promise<void> {
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  if (open.some(({ visibilityState }) => visibilityState === "visible")) return;
  const actions = [
    { action: "approve", title: "Approve" },
    { action: "decline", title: "Decline" },
  ];
  await registration.showNotification(notice.title, {
    body: notice.body,
    tag: `${notice.hub} ${notice.thread}`,
    renotify: true,
    icon: "/icon-192.png",
    data: notice,
    actions: notice.question === null ? [] : actions,
  });
}

async function clicked(scope: WorkerScope, notice: PushNotice, action: string): Promise<void> {
  if (notice.question !== null && (action === "approve" || action === "decline")) {
    const answer = { hub: notice.hub, question: notice.question, approve: action === "approve" };
    const response = await fetch("/api/answer", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(answer),
    }).catch(() => null);
    if (response?.ok === true) return;
  }
  // What could not be answered is looked at.
  const address = `/#/thread/${encodeURIComponent(notice.hub)}/${encodeURIComponent(notice.thread)}`;
  const [page] = await scope.clients.matchAll({ type: "window" });
  if (page === undefined) return void (await scope.clients.openWindow(address));
  await page.focus();
  await page.navigate(address);
}
