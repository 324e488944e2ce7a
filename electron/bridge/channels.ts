/**
 * All that passes between a page of the console and the shell. To add a channel: a row here, the schema of its arguments
 * in `ipc.ts`, and a service there; the preload, the checks of the sender and the test that lists all channels follow.
 */

export interface DesktopFacts {
  /** This program's version. */
  version: string;
  /** Whether the system shows notices. */
  canNotify: boolean;
}

export interface DesktopNotice {
  tag: string;
  title: string;
  body: string;
  /** `critical` stays until somebody has seen it, where the system lets it. */
  urgency: 'normal' | 'critical';
  /** Labels of its buttons; not every system has them. */
  actions: string[];
}

export interface OpenAlarms {
  count: number;
  /** The gravest of them. */
  worst: 'alarm' | 'warning';
}

/** What is set for the desktop on this computer. */
export interface DesktopPreferences {
  /** The system starts the program when its user logs in, without a window; null: it cannot. */
  startAtLogin: boolean | null;
  /** Closing the last window leaves the program running; null: the system has a custom of its own. */
  keepRunning: boolean | null;
  /** Quitting says what stops, and asks. */
  confirmQuit: boolean;
  /** Until when alarms make no sound, Unix ms. */
  mutedUntil: number | null;
}

/** What is not given stays as it is. */
export type PreferenceChange = {
  [Name in keyof DesktopPreferences]?: DesktopPreferences[Name] | undefined;
};

/** A host elsewhere, as it is called: by the certificate with this SHA-256, or null: one that an authority vouches for. */
export interface NewConnection {
  name: string;
  url: string;
  fingerprint: string | null;
  /** Whether it may be called without TLS beyond this computer. */
  insecure: boolean;
}

export interface SavedConnection extends NewConnection {
  id: string;
}

export interface Connections {
  items: SavedConnection[];
  /** Which of them the page that asks is of; null: the depot of this computer. */
  current: string | null;
  ownDepot: {
    runs: boolean;
    /** Whether it runs from the next start on. */
    starts: boolean;
  };
}

/** A host that has announced itself on the network; nothing of it is trusted. */
export interface FoundHost {
  name: string;
  url: string;
}

/** What host there is at an address; each but `found` says why it was not asked further (server/remote/hostFacts.ts). */
export type HostProbe =
  | {
      state: 'found';
      url: string;
      fingerprint: string | null;
      depotName: string;
      version: string;
      api: 'same' | 'older' | 'newer' | 'different';
    }
  | { state: 'untrusted'; url: string; fingerprint: string }
  | { state: 'changed'; url: string; expected: string; found: string }
  | { state: 'insecure'; url: string }
  | { state: 'unreachable'; url: string; reason: string; causes: ShellCause[] }
  | { state: 'invalid'; reason: string; causes: ShellCause[] };

/** A sentence of what the shell says, for pages in another language; as causes of the API. */
interface ShellCause {
  code: string;
  values: Record<string, string | number | string[]>;
}

/** Commands of a page for the menu bar, in sections. */
export interface DesktopMenu {
  /** Into which of the system's menus they go, or into one of their own with this title. */
  place: 'file' | 'view' | 'help' | 'own';
  title: string;
  sections: DesktopMenuItem[][];
}

export interface DesktopMenuItem {
  id: string;
  label: string;
  /** The keys that run it in the page, as `Ctrl+K`; null: none. */
  keys: string | null;
  enabled: boolean;
}

/** Why a page was loaded again without being asked to. */
export type ReloadReason = 'crashed' | 'out_of_memory' | 'unresponsive';

/** `fleetdeck://KIND/ID`, checked; the ID of a point is `LAT,LON`. */
export interface DesktopLink {
  kind: string;
  id: string;
  /** Of the history; null: of all others. */
  at: string | null;
}

/** What the operator opened with this program; what could not be read says so. */
export type DesktopOpening =
  | { kind: 'link'; link: DesktopLink }
  | { kind: 'file'; name: string; content: ArrayBuffer }
  | { kind: 'too large' | 'unreadable'; name: string };

/** A section of a problem report. */
export interface ProblemFacts {
  facts: Record<string, string | number | boolean | null>;
  lines: string[];
}

/** Where updates of the desktop come from, and when; of this computer. */
export interface UpdateSettings {
  on: boolean;
  /** The folder of `latest.yml` and its installers. */
  url: string;
  /** The Ed25519 key that signs `latest.yml`: its 32 bytes in base64. */
  publicKey: string;
  /** Of this computer's clock, in which it looks for updates. */
  hour: number;
  /** Whether it installs in that hour without being asked. */
  byItself: boolean;
}

export interface UpdateState {
  /** `refused`: what was found is not to be trusted; `failed`: it was not reached. */
  phase: 'idle' | 'checking' | 'up to date' | 'downloading' | 'ready' | 'installing' | 'refused' | 'failed';
  /** The version that runs, and the one that was found. */
  version: string;
  found: string | null;
  /** Of its download; null while there is none. */
  fraction: number | null;
  /** Unix ms of the last check that was answered. */
  checked_ms: number | null;
  /** Why it was refused, failed or cannot be installed now. */
  reason: string | null;
  /** Of which the reason consists; empty where it is of the system. */
  causes: ShellCause[];
  settings: UpdateSettings;
}

/** What a page has the shell do; who answers is the service of the same name. */
export const pageChannels = {
  facts: asksNow<[], DesktopFacts>(),
  /** Why this page was loaded again, once; null when nothing had happened to the one before. */
  reloadReason: asksNow<[], ReloadReason | null>(),
  /** The one-time code of the first run; null when there was a user at the start. */
  setupCode: asksNow<[], string | null>(),
  /** Asks where to, writes, and says where; false when the operator changes their mind. Rejects when it cannot be written. */
  saveFile: asks<[name: string, content: ArrayBuffer], string | false>(),
  /** Shows a notice of the system in place of an earlier one with the same tag. */
  notify: sends<[notice: DesktopNotice]>(),
  /** Takes a notice away that is of no more use. */
  withdrawNotice: sends<[tag: string]>(),
  /** The next link or file that waits to be opened; null: none, or not in this window. */
  takeOpening: asks<[], DesktopOpening | null>(),
  /** The open alarms, for tray, dock and task bar; null: nobody is logged in who would see any. */
  setBadge: sends<[open: OpenAlarms | null]>(),
  /** Puts the page's commands into the menu bar while its window has the focus. */
  setMenu: sends<[menus: DesktopMenu[]]>(),
  /** The tag of the language that the console speaks (`de`): menus and boxes of the shell speak it too. */
  setLanguage: sends<[tag: string]>(),
  bringToFront: sends<[]>(),
  preferences: asks<[], DesktopPreferences>(),
  /** Sets what is given; says what holds then. Rejects when it cannot be set. */
  changePreferences: asks<[change: PreferenceChange], DesktopPreferences>(),
  /** Has the window seen above all others without taking the keyboard from what the operator types in. */
  raiseWindow: sends<[]>(),
  /** The hosts that this computer connects to. */
  connections: asks<[], Connections>(),
  /** Asks what host there is at an address, as far as it is trusted. */
  probeHost: asks<[asked: Omit<NewConnection, 'name'>], HostProbe>(),
  /** Asks the network for hosts that announce themselves; takes some seconds. */
  lookForHosts: asks<[], FoundHost[]>(),
  /** Saves a connection; one to the same host gets these values. */
  addConnection: asks<[connection: NewConnection], SavedConnection>(),
  renameConnection: asks<[id: string, name: string], Connections>(),
  removeConnection: asks<[id: string], Connections>(),
  /** Shows the console of a connection, whose URL it answers, in the place of the page; null: of the own depot. */
  openConnection: asks<[id: string | null], string>(),
  /** Whether the own depot runs from the next start on. */
  startOwnDepot: asks<[starts: boolean], Connections>(),
  /** What a problem report has of the desktop. */
  problemFacts: asks<[], ProblemFacts>(),
  updateState: asks<[], UpdateState>(),
  /** Rejects for a URL or a key that cannot be. */
  changeUpdates: asks<[settings: UpdateSettings], UpdateState>(),
  checkForUpdates: asks<[], UpdateState>(),
  installUpdate: asks<[], UpdateState>(),
};

/** What the shell sends to a page, each with what its message must be: the preload drops every other. */
export const shellChannels = {
  /** Links or files wait to be opened: how many. */
  openingsWait: isCount,
  /** The id of a command that was chosen from the menu bar. */
  commandChosen: isText(100),
  /** The computer was asleep: connections may be dead. */
  resumed: (value: unknown): value is true => value === true,
  /** The tag of a notice that the operator clicked on. */
  noticeOpened: isText(500),
  /** A button of a notice that the operator clicked on: its place among `actions`. */
  noticeActed: isRecord({ tag: isText(500), action: isCount }),
  preferencesChanged: isRecord({
    startAtLogin: orNull(isBoolean),
    keepRunning: orNull(isBoolean),
    confirmQuit: isBoolean,
    mutedUntil: orNull(isCount),
  }),
};

type PageChannels = typeof pageChannels;
export type PageChannelName = keyof PageChannels;
export type ArgumentsOf<Name extends PageChannelName> = Parameters<
  NonNullable<PageChannels[Name]['signature']>
>;
export type ReplyOf<Name extends PageChannelName> = ReturnType<NonNullable<PageChannels[Name]['signature']>>;
export type DirectionOf<Name extends PageChannelName> = PageChannels[Name]['direction'];

type ShellChannels = typeof shellChannels;
export type ShellChannelName = keyof ShellChannels;
export type MessageOf<Name extends ShellChannelName> =
  ShellChannels[Name] extends Guard<infer Message> ? Message : never;

/** The name by which Electron knows a channel. */
export const wireName = (name: PageChannelName | ShellChannelName): string => `desktop:${name}`;

/** `asks now`: the page stands still until the answer, for what it cannot start without. */
type Direction = 'asks now' | 'asks' | 'sends';

interface PageChannel<Way extends Direction, Arguments extends unknown[], Reply> {
  direction: Way;
  /** For the compiler only. */
  signature?: (...args: Arguments) => Reply;
}

function asksNow<Arguments extends unknown[], Reply>(): PageChannel<'asks now', Arguments, Reply> {
  return { direction: 'asks now' };
}

function asks<Arguments extends unknown[], Reply>(): PageChannel<'asks', Arguments, Reply> {
  return { direction: 'asks' };
}

function sends<Arguments extends unknown[]>(): PageChannel<'sends', Arguments, void> {
  return { direction: 'sends' };
}

type Guard<Message> = (value: unknown) => value is Message;

function isText(longest: number): Guard<string> {
  return (value): value is string => typeof value === 'string' && value.length <= longest;
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function orNull<Message>(isMessage: Guard<Message>): Guard<Message | null> {
  return (value): value is Message | null => value === null || isMessage(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRecord<Fields extends Record<string, Guard<unknown>>>(
  fields: Fields,
): Guard<{ [Name in keyof Fields]: Fields[Name] extends Guard<infer Field> ? Field : never }> {
  type Whole = { [Name in keyof Fields]: Fields[Name] extends Guard<infer Field> ? Field : never };
  return (value): value is Whole => {
    if (typeof value !== 'object' || value === null) return false;
    const held = value as Readonly<Record<string, unknown>>;
    return Object.entries(fields).every(([name, isField]) => isField(held[name]));
  };
}
