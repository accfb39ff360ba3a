// What the service worker finds in its scope, for the type check only: the server's constants, and the browser's own names.

declare const CACHE: string;
declare const FILES: string[];
declare const PAGES: string[];

declare const clients: Clients;
declare const registration: ServiceWorkerRegistration & { navigationPreload?: NavigationPreloadManager };
declare function skipWaiting(): Promise<void>;
declare function addEventListener<K extends keyof ServiceWorkerGlobalScopeEventMap>(
  type: K,
  listener: (event: ServiceWorkerGlobalScopeEventMap[K]) => unknown,
): void;

interface WorkerNavigator {
  connection?: { saveData: boolean };
}
