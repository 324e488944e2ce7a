import { z } from 'zod';
import type { DesktopPreferences, PreferenceChange } from './bridge/channels.ts';
import { readStateFile, writeKept } from './stateFile.ts';

/** Far more than anybody is offered: a time beyond it is left of a clock that was set back, and would mute for good. */
const LONGEST_MUTE_MS = 24 * 3_600_000;

const kept = z.object({
  keepRunning: z.boolean().catch(true),
  confirmQuit: z.boolean().catch(true),
  mutedUntil: z.number().nullable().catch(null),
  /** What of the program's ways was explained to the user already. */
  explained: z.array(z.string()).catch([]),
});

/** How the program is started at login: what the system says holds, since the user can change it there as well. */
export interface LoginStart {
  isOn(): boolean;
  /** Throws what the system says. */
  set(on: boolean): void;
}

/**
 * What this computer's user has set for the desktop, in one small file.
 *
 * @param deps.loginStart null where the system cannot start the program
 * @param deps.mayQuitByClosing false on macOS, where no program ends with its windows
 */
export function createPreferences(deps: {
  file: string;
  loginStart: LoginStart | null;
  mayQuitByClosing: boolean;
  now: () => number;
  warn: (words: string, error: unknown) => void;
}) {
  const listeners = new Set<(preferences: DesktopPreferences) => void>();
  let state = kept.safeParse(readStateFile(deps.file)).data ?? kept.parse({});

  function keep(next: typeof state): void {
    writeKept(deps.file, next);
    state = next;
  }

  function read(): DesktopPreferences {
    const { keepRunning, confirmQuit, mutedUntil } = state;
    const left_ms = (mutedUntil ?? 0) - deps.now();
    return {
      startAtLogin: deps.loginStart?.isOn() ?? null,
      keepRunning: deps.mayQuitByClosing ? keepRunning : null,
      confirmQuit,
      mutedUntil: left_ms > 0 && left_ms <= LONGEST_MUTE_MS ? mutedUntil : null,
    };
  }

  return {
    read,
    /** Sets what is given and says what holds then. Throws what the disk or the system says; nothing is set then. */
    change({ startAtLogin, ...rest }: PreferenceChange): DesktopPreferences {
      if (startAtLogin !== undefined && startAtLogin !== null) deps.loginStart?.set(startAtLogin);
      const given = Object.entries(rest).filter(([, value]) => value !== undefined);
      if (given.length > 0) keep(kept.parse({ ...state, ...Object.fromEntries(given) }));
      const preferences = read();
      for (const listener of listeners) listener(preferences);
      return preferences;
    },
    /** Calls after each change; returns its undo. */
    onChange(listener: (preferences: DesktopPreferences) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Whether something is explained for the first time; it is not afterwards. */
    isNews(subject: string): boolean {
      if (state.explained.includes(subject)) return false;
      const next = { ...state, explained: [...state.explained, subject] };
      try {
        keep(next);
      } catch (error) {
        // It is explained again after the next start.
        state = next;
        deps.warn('preferences.json was not written', error);
      }
      return true;
    },
  };
}
