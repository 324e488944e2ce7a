import {
  pageChannels,
  shellChannels,
  wireName,
  type ArgumentsOf,
  type DirectionOf,
  type MessageOf,
  type PageChannelName,
  type ReplyOf,
  type ShellChannelName,
} from './channels.ts';

/** What the desktop can do for the console beyond what a browser can: a function for each row of the channels' tables. */
export type DesktopBridge = PageCalls & ShellListeners;

type PageCalls = {
  readonly [Name in PageChannelName]: (
    ...args: ArgumentsOf<Name>
  ) => CallReply<DirectionOf<Name>, ReplyOf<Name>>;
};
type CallReply<Direction, Reply> = Direction extends 'asks' ? Promise<Reply> : Reply;

/** Each calls with every message of its channel; returns its undo. */
type ShellListeners = {
  readonly [Name in ShellChannelName as `on${Capitalize<Name>}`]: (
    listen: (message: MessageOf<Name>) => void,
  ) => () => void;
};

/** Where a page of the desktop finds its bridge. */
export interface BridgeHolder {
  fleetdeckDesktop?: DesktopBridge;
}

export const bridgeName = 'fleetdeckDesktop' satisfies keyof BridgeHolder;

/** The part of Electron's `ipcRenderer` that is used here. */
export interface PageEnd {
  sendSync(channel: string, ...args: unknown[]): unknown;
  invoke(channel: string, ...args: unknown[]): Promise<unknown>;
  send(channel: string, ...args: unknown[]): void;
  on(channel: string, listener: (event: unknown, ...args: unknown[]) => void): unknown;
  removeListener(channel: string, listener: (event: unknown, ...args: unknown[]) => void): unknown;
}

/** The bridge of a page; null for a page to which the shell answers nothing, since it is not the console's. */
export function createBridge(ipc: PageEnd): DesktopBridge | null {
  const bridge: Record<string, (...args: never[]) => unknown> = {};
  for (const name of namesOf(pageChannels)) bridge[name] = callOf(ipc, name);
  for (const name of namesOf(shellChannels)) {
    bridge[`on${name.charAt(0).toUpperCase()}${name.slice(1)}`] = (listen: (message: unknown) => void) =>
      listenTo(ipc, name, listen);
  }
  const whole = bridge as unknown as DesktopBridge;
  return (whole.facts() as unknown) === null ? null : whole;
}

function callOf(ipc: PageEnd, name: PageChannelName): (...args: unknown[]) => unknown {
  const channel = wireName(name);
  const { direction } = pageChannels[name];
  if (direction === 'asks') return (...args) => ipc.invoke(channel, ...args);
  if (direction === 'asks now') return (...args) => ipc.sendSync(channel, ...args);
  return (...args) => ipc.send(channel, ...args);
}

function listenTo(ipc: PageEnd, name: ShellChannelName, listen: (message: unknown) => void): () => void {
  const isMessage = shellChannels[name];
  const onMessage = (_event: unknown, message: unknown) => {
    if (isMessage(message)) listen(message);
  };
  ipc.on(wireName(name), onMessage);
  return () => ipc.removeListener(wireName(name), onMessage);
}

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(table) as Name[];
}
