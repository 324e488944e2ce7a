import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { readStateFile, writeKept } from '../stateFile.ts';

/** A new version that was started so often without coming up goes back. */
const MOST_STARTS = 3;
/** So long after its windows are shown, a new version is the version. */
const PROVEN_MS = 2 * 60_000;
/** Installers and backups that are kept, each. */
const KEPT = 2;

const record = z.object({
  phase: z.enum(['installing', 'going back']),
  from: z.string(),
  to: z.string(),
  /** The installer of `from`; null: it is not on this computer. */
  installer: z.string().nullable(),
  /** The backup of the host by `from`; null: there was no depot on this computer. */
  backup: z.string().nullable(),
  starts: z.int(),
});
type Going = z.infer<typeof record>;
const files = { going: 'update.json', failed: 'failed.json' };
const failedVersion = z.object({ version: z.string() });

/** What a start has to do before anything else. */
export type StartStep =
  | { step: 'start' }
  /** The old version is here again: its data comes back first. */
  | { step: 'restore data'; backup: string | null; failed: string }
  /** The new version does not come up: the old installer takes its place. */
  | { step: 'install old'; installer: string; from: string }
  /** The same where there is no old installer, or it is for people to run. */
  | { step: 'tell operator'; from: string; to: string; backup: string | null };

export type WayBack = ReturnType<typeof createWayBack>;

/**
 * Keeps what an update replaces, and decides at each start whether to go back to it. Only the primary instance asks.
 *
 * @param folder of this program's user, where installers, backups and the record of the update lie
 * @param canInstall whether the program itself can run an installer of this system without questions
 */
export function createWayBack(deps: { folder: string; version: string; canInstall: boolean }) {
  const { folder, version } = deps;
  const goingFile = join(folder, files.going);
  const failedFile = join(folder, files.failed);
  const installers = join(folder, 'installers');
  const backups = join(folder, 'backups');

  function going(): Going | null {
    const read = record.safeParse(readStateFile(goingFile));
    return read.success ? read.data : null;
  }

  return {
    /** Where backups before updates are made; it is there. */
    backupFolder(): string {
      mkdirSync(backups, { recursive: true, mode: 0o700 });
      return backups;
    },

    /** Keeps an installer of a version for later; the newest two stay. */
    keepInstaller(ofVersion: string, path: string): void {
      mkdirSync(installers, { recursive: true, mode: 0o700 });
      const kept = join(installers, `${ofVersion}-${basename(path)}`);
      copyFileSync(path, `${kept}.part`);
      renameSync(`${kept}.part`, kept);
      prune(installers);
    },

    /** Before the new version is installed; its start then counts. */
    begin(to: string, backup: string | null): void {
      writeKept(goingFile, {
        ...{ phase: 'installing', from: version, to, backup, starts: 0 },
        installer: installerOf(version),
      } satisfies Going);
      if (existsSync(backups)) prune(backups);
    },

    /** Counts this start. Called once, as the first thing. */
    atStart(): StartStep {
      const now = going();
      if (now === null) return { step: 'start' };
      if (version === now.from) {
        if (now.phase === 'going back') return { step: 'restore data', backup: now.backup, failed: now.to };
        // The installer was stopped, or somebody has put this version back.
        if (now.starts === 0) {
          rmSync(goingFile, { force: true });
          return { step: 'start' };
        }
        return { step: 'restore data', backup: now.backup, failed: now.to };
      }
      if (version !== now.to) {
        rmSync(goingFile, { force: true });
        return { step: 'start' };
      }
      if (now.starts < MOST_STARTS) {
        writeKept(goingFile, { ...now, starts: now.starts + 1 });
        return { step: 'start' };
      }
      writeKept(goingFile, { ...now, phase: 'going back' } satisfies Going);
      const { installer, from, to, backup } = now;
      if (installer !== null && deps.canInstall && existsSync(installer))
        return { step: 'install old', installer, from };
      return { step: 'tell operator', from, to, backup };
    },

    /** The data of the old version is in place: the update is over, and its version is not taken again. */
    restored(failed: string): void {
      writeKept(failedFile, { version: failed });
      rmSync(goingFile, { force: true });
    },

    /** The windows are shown. Returns the undo of the timer after which there is no way back by itself. */
    cameUp(after: (ms: number, run: () => void) => () => void): () => void {
      return after(PROVEN_MS, () => {
        if (going()?.to === version) rmSync(goingFile, { force: true });
      });
    },

    /** Quit by the operator: that start was none that failed. */
    quitWell(): void {
      const now = going();
      if (now?.to === version && now.phase === 'installing' && now.starts > 0)
        writeKept(goingFile, { ...now, starts: now.starts - 1 });
    },

    failedVersion(): string | null {
      const read = failedVersion.safeParse(readStateFile(failedFile));
      return read.success ? read.data.version : null;
    },
  };

  function installerOf(ofVersion: string): string | null {
    if (!existsSync(installers)) return null;
    const name = readdirSync(installers).find(
      (it) => it.startsWith(`${ofVersion}-`) && !it.endsWith('.part'),
    );
    return name === undefined ? null : join(installers, name);
  }
}

/** Deletes all in a folder but the newest two. */
function prune(folder: string): void {
  const found = readdirSync(folder)
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of found.slice(KEPT)) rmSync(path, { recursive: true, force: true });
}

/** Puts an AppImage in the place of another one, which may be running: that one keeps its file until it ends. */
export function replaceAppImage(old: string, place: string): void {
  const draft = `${place}.part`;
  copyFileSync(old, draft);
  chmodSync(draft, 0o755);
  renameSync(draft, place);
}
