import type { StoreApi } from 'zustand/vanilla';
import type { Language } from '../../server/contract/languages.ts';
import type {
  Connections,
  DesktopPreferences,
  FoundHost,
  HostProbe,
  NewConnection,
  OpenAlarms,
  PreferenceChange,
  ProblemFacts,
  ReloadReason,
  SavedConnection,
  UpdateSettings,
  UpdateState,
} from '../../electron/bridge/channels.ts';

export interface AlarmNotice {
  /** One notice at a time for one thing: a later one with the same tag takes its place. */
  tag: string;
  title: string;
  body: string;
  /** `critical` stays until somebody has seen it, where the system lets it. */
  urgency: 'normal' | 'critical';
  /** Its buttons, where the host has them; `raises`: the console comes to the front for it. */
  actions: readonly { label: string; raises: boolean; run: () => void }[];
  onOpen: () => void;
}

export type NotifyPermission = 'granted' | 'denied' | 'not_asked' | 'unavailable';

/** A program around the console, which lives longer than its windows. */
export interface Program {
  /** What is set for it on this computer; null until it has answered. */
  preferences: StoreApi<DesktopPreferences | null>;
  /** Rejects when it could not be set. */
  change(change: PreferenceChange): Promise<void>;
}

/** What the desktop's shell says to the operator, with the causes of it. */
export class ShellFault extends Error {
  override name = 'ShellFault';
  readonly causes: UpdateState['causes'];

  constructor(detail: string, causes: UpdateState['causes']) {
    super(detail);
    this.causes = causes;
  }
}

/** The hosts elsewhere that this computer connects to. Each call rejects with a sentence for the operator. */
export interface RemoteHosts {
  list(): Promise<Connections>;
  probe(asked: Omit<NewConnection, 'name'>): Promise<HostProbe>;
  /** Those that announce themselves on the network; takes some seconds. */
  look(): Promise<FoundHost[]>;
  add(connection: NewConnection): Promise<SavedConnection>;
  rename(id: string, name: string): Promise<Connections>;
  remove(id: string): Promise<Connections>;
  /** Shows its console in the place of this page; null: that of this computer's own depot. */
  open(id: string | null): Promise<void>;
  startOwnDepot(starts: boolean): Promise<Connections>;
}

/** What the host can do for the console: a browser or the desktop. Ask for abilities, not for the host. */
export interface Platform {
  /** Shows a notice of the operating system; nothing where that is not allowed. Returns what takes it away again. */
  notify(notice: AlarmNotice): () => void;
  notifyPermission(): NotifyPermission;
  /** Must follow an act of the user: browsers refuse otherwise. */
  askToNotify(): Promise<NotifyPermission>;
  /**
   * Hands a file to the user. Says where it is: the path, or true for the folder of the browser's downloads; false when
   * the user chose not to keep it.
   */
  saveFile(name: string, content: Blob): Promise<string | boolean>;
  copyText(text: string): Promise<boolean>;
  /** Small texts that stay on this computer; reads null and writes nothing where the host keeps none. */
  storage: TextStorage;
  /** Whether the page may use what browsers keep for secure pages. */
  secureContext: boolean;
  /** Whether the browser takes cookies, which the login needs. */
  cookies: boolean;
  /** The one-time code of the first run, where the host hands it over; null otherwise. */
  setupCode(): string | null;
  /** Has the window seen above all others, and takes no key from where the operator types; null where a page cannot. */
  raiseWindow: (() => void) | null;
  /** The number of open alarms, for the window's title. */
  setTitle(count: number, title: string): void;
  /** The same for the tray or the task bar, where the host has one; from one window for all. */
  setBadge(open: OpenAlarms | null): void;
  /**
   * Opens a window of the console, or brings the one of that name to the front and shows the address there. Must follow an
   * act of the user: browsers refuse otherwise.
   */
  openWindow(window: OwnWindow): void;
  /** Has what the host says around the page, in menus and boxes, be in this language; a browser has its own. */
  setLanguage(language: Language): void;
  /** Brings this window to the front, as far as the host allows it. */
  comeForward(): void;
  /** Calls as soon as this page may play sound; returns its undo. */
  onMayPlay(run: () => void): () => void;
  /** Updates of the program around the console; null in a browser. */
  updates: ProgramUpdates | null;
  /** What a problem report has of the program around the console; null in a browser. */
  problemFacts: (() => Promise<ProblemFacts>) | null;
  /** Null in a browser. */
  program: Program | null;
  /** What was opened with this program, by links (fleetdeck://) and files; null where pages are opened by addresses. */
  openings: Openings | null;
  /** The menu bar of the host; null where the page has none. */
  menu: MenuBar | null;
  /** The host elsewhere whose console this page is; null where the page comes from the host itself. */
  connection(): { name: string; url: string } | null;
  /** Null in a browser. */
  remoteHosts: RemoteHosts | null;
  /** Why the host has loaded this page again without being asked to, once; null when it has not. */
  takeReloadReason(): ReloadReason | null;
  /** Calls when connections may be dead or can be had again, as after the computer slept; returns its undo. */
  onResume(run: () => void): () => void;
  /** Keeps the screen on while the page is shown, as far as the host allows it; returns its undo. */
  keepAwake(): () => void;
  /** The system's own light or dark preference. */
  prefersLight(): boolean;
  /** Has the console fill the screen, or no longer. Must follow an act of the user; where it is refused, nothing happens. */
  fillScreen(on: boolean): void;
  /** Calls when the screen is no longer filled, whoever ended it; returns its undo. */
  onScreenLeft(run: () => void): () => void;
}

export interface OwnWindow {
  /** On this origin: `/?window=queue#/live`. */
  address: string;
  name: string;
  /** Of the page, in pixels. */
  width: number;
  height: number;
}

export interface Openings {
  /** The next one that waits; null: none. */
  take(): Promise<Opening | null>;
  /** Calls when another one waits; returns its undo. */
  onWait(run: () => void): () => void;
}

export type Opening =
  | { kind: 'link'; link: AppLink }
  | { kind: 'file'; file: File }
  | { kind: 'too large' | 'unreadable'; name: string };

/** `fleetdeck://KIND/ID`; `at` is a time of the history. */
export interface AppLink {
  kind: string;
  id: string;
  at: string | null;
}

export interface MenuBar {
  /** Shows these in place of what was shown. */
  show(menus: readonly CommandMenu[]): void;
  /** Calls with the id of a command that was chosen; returns its undo. */
  onChosen(run: (id: string) => void): () => void;
}

/** Commands in sections, for a menu that every program has or for one of their own. */
export interface CommandMenu {
  place: 'file' | 'view' | 'help' | 'own';
  title: string;
  sections: { id: string; label: string; keys: string | null; enabled: boolean }[][];
}

/** Each answers with the state after it. Rejects where the program does not answer. */
export interface ProgramUpdates {
  state(): Promise<UpdateState>;
  /** Rejects for an address or a key that cannot be. */
  change(settings: UpdateSettings): Promise<UpdateState>;
  check(): Promise<UpdateState>;
  install(): Promise<UpdateState>;
}

export interface TextStorage {
  read(key: string): string | null;
  write(key: string, value: string | null): void;
  /** Calls when another window of this computer wrote the text; returns its undo. */
  onWritten(key: string, run: () => void): () => void;
}
