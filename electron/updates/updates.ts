import { z } from 'zod';
import type { UpdateSettings, UpdateState } from '../bridge/channels.ts';
import { readStateFile, writeKept } from '../stateFile.ts';
import { causeOf, type Cause } from '../../server/app.ts';
import { ShellError } from '../shellError.ts';
import { readPublicKey, UpdateRefused } from './signedManifest.ts';

export type Feed = Pick<UpdateSettings, 'url' | 'publicKey'>;

export interface FoundUpdate {
  version: string;
}

/** What finds, downloads and installs; errors are for the operator. */
export interface Updater {
  /** Null when there is nothing newer for this computer. Rejects with UpdateRefused for what is not to be trusted. */
  check(feed: Feed, signal: AbortSignal): Promise<FoundUpdate | null>;
  /** Resolves with the path of the installer, whose hash and signature are those that were promised. */
  download(onProgress: (fraction: number) => void, signal: AbortSignal): Promise<string>;
  /** Starts the installer, which goes on when the program has ended. */
  install(): void;
}

export interface UpdatesDeps {
  /** Where the settings lie. */
  file: string;
  version: string;
  /** A version that did not start here and is not taken again; null: none. */
  failedVersion: string | null;
  /** Whether the system asks somebody before it installs: nothing is installed by itself then. */
  asksToInstall: boolean;
  /** Loaded when updates are switched on. */
  loadUpdater: () => Promise<Updater>;
  /** Why nothing may be installed at this moment; null: it may. */
  hindrance: () => Promise<Cause[] | null>;
  /** Closes the host, backs it up and keeps the way back. */
  prepare: (version: string, installer: string) => Promise<void>;
  /** Ends the program for the installer. */
  end: () => void;
  /** Starts the program anew: its host is closed, and nothing was installed. */
  startAgain: () => void;
  clock: { now: () => number; after: (ms: number, run: () => void) => () => void };
  log: (words: string, error?: unknown) => void;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A check that failed is made again after this. */
const RETRY_MS = HOUR_MS;
/** Checked no more often than this within its hour. */
const DAILY_MS = 20 * HOUR_MS;
/** After a start nothing is installed by itself for so long: one that fails starts the program again, and would go on so. */
const SETTLED_MS = HOUR_MS / 2;

const stored = z.object({
  on: z.boolean(),
  url: z.string(),
  publicKey: z.string(),
  hour: z.int().min(0).max(23),
  byItself: z.boolean(),
});
const standard: UpdateSettings = { on: false, url: '', publicKey: '', hour: 3, byItself: false };

export type Updates = ReturnType<typeof createUpdates>;

/**
 * Updates of this program: off until somebody names a URL and a key. Checked once a day in the hour of the setting;
 * installed by the operator, or in that hour by itself; never while something open needs this program.
 */
export function createUpdates(deps: UpdatesDeps) {
  const { clock, log } = deps;
  const read = stored.safeParse(readStateFile(deps.file));
  let settings: UpdateSettings = read.success ? read.data : standard;
  let state: Omit<UpdateState, 'settings' | 'version'> = {
    phase: 'idle',
    found: null,
    fraction: null,
    checked_ms: null,
    ...(deps.failedVersion === null
      ? nothing
      : because(causeOf('update.put_back', { failed: deps.failedVersion, version: deps.version }))),
  };
  let updater: Promise<Updater> | null = null;
  let installer: string | null = null;
  let running: AbortController | null = null;
  let tried_ms = -Infinity;
  const started_ms = clock.now();
  let stopTimer = (): void => undefined;

  const set = (part: Partial<typeof state>): void => {
    state = { ...state, ...part };
  };
  const present = (): UpdateState => ({ ...state, settings, version: deps.version });

  async function check(): Promise<void> {
    if (running !== null || ['ready', 'installing'].includes(state.phase)) return;
    const own = new AbortController();
    running = own;
    tried_ms = clock.now();
    set({ phase: 'checking', found: null, fraction: null, ...nothing });
    try {
      updater ??= deps.loadUpdater();
      const parts = await updater;
      const found = await parts.check(settings, own.signal);
      own.signal.throwIfAborted();
      set({ checked_ms: clock.now() });
      if (found === null) {
        set({ phase: 'up to date' });
        return;
      }
      if (found.version === deps.failedVersion)
        throw new UpdateRefused(causeOf('update.did_not_start', { version: found.version }));
      set({ phase: 'downloading', found: found.version, fraction: 0 });
      installer = await parts.download((fraction) => {
        if (!own.signal.aborted) set({ fraction });
      }, own.signal);
      own.signal.throwIfAborted();
      set({ phase: 'ready', fraction: null });
      log(`version ${found.version} is ready to be installed`);
    } catch (error) {
      if (own.signal.aborted) return;
      // Whoever loads it again may have mended what was missing.
      if (!(error instanceof UpdateRefused)) updater = null;
      set({
        phase: error instanceof UpdateRefused ? 'refused' : 'failed',
        fraction: null,
        ...reasonOf(error),
      });
      log('an update was not taken', error);
    } finally {
      if (running === own) running = null;
    }
  }

  async function install(): Promise<void> {
    const { phase, found } = state;
    if (phase !== 'ready' || found === null || installer === null || updater === null) return;
    const hindrance = await deps.hindrance();
    set(hindrance === null ? nothing : because(...hindrance));
    if (hindrance !== null || state.phase !== 'ready') return;
    set({ phase: 'installing' });
    log(`version ${found} is installed in place of ${deps.version}`);
    try {
      await deps.prepare(found, installer);
      (await updater).install();
      deps.end();
    } catch (error) {
      log('an update was not installed', error);
      deps.startAgain();
    }
  }

  function installByItself(now_ms: number): void {
    if (deps.asksToInstall) set(because(causeOf('update.asks_permission')));
    else if (now_ms - started_ms >= SETTLED_MS)
      install().catch((error: unknown) => log('an update was not installed', error));
  }

  function tick(): void {
    stopTimer = clock.after(MINUTE_MS, tick);
    const now_ms = clock.now();
    if (!settings.on || new Date(now_ms).getHours() !== settings.hour) return;
    if (state.phase === 'ready') {
      if (settings.byItself) installByItself(now_ms);
    } else if (now_ms - tried_ms >= RETRY_MS && now_ms - (state.checked_ms ?? -Infinity) >= DAILY_MS) {
      void check();
    }
  }

  function giveUp(): void {
    running?.abort();
    running = null;
    installer = null;
  }

  tick();
  return {
    state: present,
    /** @throws {UpdateRefused} for a URL or a key that cannot be */
    change(next: UpdateSettings): UpdateState {
      if (next.on) {
        checkUrl(next.url);
        readPublicKey(next.publicKey);
      }
      writeKept(deps.file, next);
      const isOther = next.url !== settings.url || next.publicKey !== settings.publicKey || !next.on;
      settings = next;
      if (isOther && state.phase !== 'installing') {
        giveUp();
        tried_ms = -Infinity;
        set({ phase: 'idle', found: null, fraction: null, checked_ms: null, ...nothing });
      }
      return present();
    },
    /** Begins to look; the state says what comes of it. */
    check(): UpdateState {
      if (settings.on) void check();
      return present();
    },
    /** Installs what is ready, unless something hinders: then the state says what. */
    async install(): Promise<UpdateState> {
      await install();
      return present();
    },
    stop(): void {
      stopTimer();
      giveUp();
    },
  };
}

function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (
    url === null ||
    !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) ||
    url.username !== ''
  )
    throw new UpdateRefused(causeOf('update.bad_address'));
}

type Reason = Pick<UpdateState, 'reason' | 'causes'>;
const nothing: Reason = { reason: null, causes: [] };

const because = (...causes: Cause[]): Reason => reasonOf(new ShellError(...causes));

/** What the system or a library says has no causes. */
function reasonOf(error: unknown): Reason {
  const reason = error instanceof Error ? error.message : String(error);
  return { reason, causes: error instanceof ShellError ? error.causes : [] };
}
