/** What the desktop can do for the console beyond what a browser can. */
export interface DesktopBridge {
  /** This program's version. */
  readonly version: string;
  /** Whether the system shows notices. */
  readonly canNotify: boolean;
  /** The one-time code of the first run; null when there was a user at the start. */
  setupCode(): string | null;
  /** Shows a notice of the system in place of an earlier one with the same tag. */
  notify(notice: DesktopNotice): void;
  /** Calls with a notice's tag when the operator clicks on it; returns its undo. */
  onNoticeOpened(listen: (tag: string) => void): () => void;
  /** The number of open alarms, for the dock or the task bar; 0 takes it away. */
  setBadge(count: number): void;
  bringToFront(): void;
  /** Asks where to, writes, and says where; false when the operator changes their mind. Rejects when it cannot be written. */
  saveFile(name: string, content: ArrayBuffer): Promise<string | false>;
}

export interface DesktopNotice {
  tag: string;
  title: string;
  body: string;
}

/** What the shell sends to the preload at the start of a page. */
export interface DesktopFacts {
  version: string;
  canNotify: boolean;
}

/** Where a page of the desktop finds its bridge. */
export interface BridgeHolder {
  fleetdeckDesktop?: DesktopBridge;
}

export const bridgeName = 'fleetdeckDesktop' satisfies keyof BridgeHolder;
