import {
  CancellationToken,
  type AppUpdater,
  type ResolvedUpdateFileInfo,
  type UpdateInfo,
} from 'electron-updater';
import { parseUpdateInfo, Provider, resolveFiles } from 'electron-updater/out/providers/Provider.js';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import { causeOf } from '../../server/app.ts';
import { ShellError } from '../shellError.ts';
import { baseOf, UpdateRefused } from './signedManifest.ts';
import type { Feed, FoundUpdate, Updater } from './updates.ts';

/** Installers have some 150 MB; one of more than this is refused before its first byte. */
const MOST_BYTES = 1_024 ** 3;
/** A download that brings nothing for so long has ended. */
const STALLED_MS = 60_000;

export interface ElectronUpdaterDeps {
  /** electron-updater's own for this system; its feed is set here. */
  updater: AppUpdater;
  readManifest: (feed: Feed, name: string, signal: AbortSignal) => Promise<string>;
  after: (ms: number, run: () => void) => () => void;
  now: () => number;
}

/**
 * What electron-updater does, behind manifests that are signed: it compares versions, keeps to `stagingPercentage`,
 * downloads, compares the file's SHA-512 with that of the manifest, has Windows and macOS check the publisher, and
 * installs.
 */
export function createElectronUpdater(deps: ElectronUpdaterDeps): Updater {
  const { updater, after } = deps;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.disableWebInstaller = true;
  // Parts of the installed version are no proof of anything, and their server would have to be asked for more files.
  if ('disableDifferentialDownload' in updater) updater.disableDifferentialDownload = true;
  // What is thrown is reported; without a listener the event would end the program.
  updater.on('error', () => undefined);
  let found: UpdateInfo | null = null;

  return {
    async check(feed, signal): Promise<FoundUpdate | null> {
      const base = baseOf(feed.url);
      class SignedProvider extends Provider<UpdateInfo> {
        constructor(_options: unknown, _updater: AppUpdater, runtime: ProviderRuntimeOptions) {
          super(runtime);
        }
        async getLatestVersion(): Promise<UpdateInfo> {
          const name = `${this.getDefaultChannelName()}.yml`;
          return parseUpdateInfo(await deps.readManifest(feed, name, signal), name, new URL(name, base));
        }
        resolveFiles(info: UpdateInfo): ResolvedUpdateFileInfo[] {
          return resolveFiles(info, base);
        }
      }
      updater.setFeedURL({ provider: 'custom', updateProvider: SignedProvider });
      const result = await updater.checkForUpdates();
      if (result === null) throw new UpdateRefused(causeOf('update.not_by_itself'));
      const { updateInfo: info, isUpdateAvailable } = result;
      found = null;
      if (!isUpdateAvailable) return null;
      const notBefore_ms = timeOf((info as { notBefore?: unknown }).notBefore);
      if (notBefore_ms > deps.now()) return null;
      for (const { url, size } of info.files) {
        if (new URL(url, base).origin !== base.origin)
          throw new UpdateRefused(causeOf('update.foreign_installer', { url }));
        if (size === undefined || size > MOST_BYTES)
          throw new UpdateRefused(causeOf('update.installer_size', { url, most: MOST_BYTES }));
      }
      found = info;
      return { version: info.version };
    },

    async download(onProgress, signal) {
      if (found === null) throw new Error('nothing was found to download');
      const token = new CancellationToken();
      const mostBytes = Math.max(...found.files.map((it) => it.size ?? 0));
      const ended: Error[] = [];
      const end = (why: Error) => {
        ended.push(why);
        token.cancel();
      };
      const stalled = () => end(new ShellError(causeOf('update.stalled', { seconds: STALLED_MS / 1_000 })));
      let stopTimer = after(STALLED_MS, stalled);
      const progressed = ({ transferred }: { transferred: number }) => {
        stopTimer();
        stopTimer = after(STALLED_MS, stalled);
        if (transferred > mostBytes) end(new UpdateRefused(causeOf('update.too_many_bytes')));
        else onProgress(Math.min(1, transferred / mostBytes));
      };
      const onAbort = () => end(new ShellError(causeOf('update.ended')));
      signal.addEventListener('abort', onAbort);
      updater.on('download-progress', progressed);
      try {
        const [file] = await updater.downloadUpdate(token);
        if (file === undefined) throw new Error('the installer was not kept');
        return file;
      } catch (error) {
        throw ended[0] ?? worded(error);
      } finally {
        stopTimer();
        signal.removeEventListener('abort', onAbort);
        updater.removeListener('download-progress', progressed);
      }
    },

    install() {
      // On macOS the system installs when the program has ended.
      if (!('install' in updater)) {
        updater.quitAndInstall(true, true);
        return;
      }
      const { install } = updater as AppUpdater & {
        install: (silently: boolean, runAfter: boolean) => boolean;
      };
      if (!install.call(updater, true, true)) throw new Error('the installer was not started');
    },
  };
}

/** YAML has times as such; NaN for what is none. */
function timeOf(value: unknown): number {
  return value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

function worded(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ERR_CHECKSUM_MISMATCH') return new UpdateRefused(causeOf('update.checksum'));
  if (code === 'ERR_UPDATER_INVALID_SIGNATURE') return new UpdateRefused(causeOf('update.publisher'));
  return error;
}
