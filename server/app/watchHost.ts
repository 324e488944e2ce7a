import type { Logger } from 'pino';
import type { Cause } from '../contract/causes.ts';
import { causeOf } from '../contract/causeTexts.ts';
import type { Clock } from '../clock.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { ChannelFault } from '../notifications/channels/deliveries.ts';
import { DiskFull, StoreFailed } from '../store/storeErrors.ts';
import type { Store } from '../store/operations.ts';
import type { Health } from '../settings/health.ts';
import { reserveOf } from '../video/diskQuota.ts';
import type { DiskSpace } from '../video/videoFiles.ts';

/** How often the host looks at itself. */
const LOOK_MS = 5_000;
/** SQLite needs some pages for its log and index even to delete. */
const FULL_BELOW_BYTES = 8 * 1024 * 1024;
/** More than this is no correction of a clock that runs fast or slow. */
const JUMP_MS = 30_000;
/** So long it is reported that the clock was set, or that the host was started again. */
const REPORTED_MS = 3_600_000;

export interface HostWatchDeps {
  health: Health;
  store: Pick<Store, 'probe'>;
  /** Of the disk where the data folder lies. */
  space: () => Promise<DiskSpace>;
  settings: () => Pick<SettingsFields, 'video_min_free_bytes' | 'video_min_free_pct'>;
  /** Why a listener of the intake is shut; null when all listen. */
  intakeFault: () => Cause[] | null;
  /** Documents whose files cannot be written. */
  documentFault: () => string | null;
  /** Documents that were read from their backups and that nobody has confirmed. */
  restored: () => readonly string[];
  channelFaults: () => readonly ChannelFault[];
  /** Secrets that have to be entered again. */
  unreadableSecrets: () => readonly string[];
  /** Why the run before this one ended although nobody asked for it; null: it did not. */
  earlierEnd: string | null;
  /** Somebody has set the wall clock by so much. */
  onClockSet: (jump_ms: number) => void;
  clock: Clock;
  log: Logger;
}

/** Sets disk and store troubles by what becomes of the store's writes. */
export function watchWrites(health: Health): (error: unknown) => void {
  return (error) => {
    if (error instanceof DiskFull) health.set('disk_full', fullDisk);
    else if (error instanceof StoreFailed) health.set('store_failed', error.message);
  };
}

const fullDisk = causeOf('health.disk_full');

/** Looks at the parts of the host that say nothing by themselves. `look` takes in what is known without waiting. */
export function watchHost(deps: HostWatchDeps): { look: () => void; stop: () => void } {
  const { health, clock } = deps;
  let stopTimer = (): void => undefined;
  let isStopped = false;
  let wall_ms = clock.now();
  let uptime_ms = clock.uptime();
  let jumped_ms = -Infinity;
  const started_ms = clock.monotonic();

  function look(): void {
    health.set('intake_stopped', deps.intakeFault());
    health.set('document_failed', deps.documentFault());
    const unreadable = deps.unreadableSecrets();
    health.set(
      'secrets_unreadable',
      unreadable.length === 0 ? null : causeOf('health.secrets', { names: unreadable.join(', ') }),
    );
    const restored = deps.restored();
    health.set(
      'restored_from_backup',
      restored.length === 0 ? null : causeOf('health.restored', { files: restored.join(', ') }),
    );
    const faults = deps.channelFaults();
    health.set('channel_failing', faults.length === 0 ? null : faults.map(channelCause));
    health.set('unexpected_restart', clock.monotonic() - started_ms < REPORTED_MS ? deps.earlierEnd : null);
    lookAtClock();
  }

  function lookAtClock(): void {
    const [wall, uptime, monotonic] = [clock.now(), clock.uptime(), clock.monotonic()];
    // By the monotonic clock each sleep of the machine would look like a jump.
    const jump_ms = wall - wall_ms - (uptime - uptime_ms);
    [wall_ms, uptime_ms] = [wall, uptime];
    if (Math.abs(jump_ms) >= JUMP_MS) {
      jumped_ms = monotonic;
      deps.onClockSet(jump_ms);
      const way = jump_ms > 0 ? 'health.clock_forward' : 'health.clock_back';
      // What it said before was of another jump.
      health.set('clock_jump', null);
      health.set('clock_jump', causeOf(way, { seconds: Math.round(Math.abs(jump_ms) / 1_000) }));
    } else if (monotonic - jumped_ms >= REPORTED_MS) {
      health.set('clock_jump', null);
    }
  }

  async function lookAtDisk(): Promise<void> {
    const { free, total } = await deps.space();
    const reserve = reserveOf(total, deps.settings());
    if (free < FULL_BELOW_BYTES) health.set('disk_full', fullDisk);
    health.set(
      'disk_low',
      free < reserve
        ? causeOf('health.disk_low', { free: gigabytes(free), reserve: gigabytes(reserve) })
        : null,
    );
    if (!health.has('disk_full') && !health.has('store_failed')) return;
    await deps.store.probe();
    if (free >= FULL_BELOW_BYTES) health.set('disk_full', null);
    health.set('store_failed', null);
  }

  async function lookAndGoOn(): Promise<void> {
    look();
    try {
      await lookAtDisk();
    } catch (error) {
      if (!(error instanceof DiskFull) && !isStopped)
        deps.log.warn({ err: error }, 'the state of the disk and the store could not be read');
    }
    if (!isStopped) stopTimer = clock.after(LOOK_MS, () => void lookAndGoOn());
  }

  void lookAndGoOn();
  return {
    look,
    stop() {
      isStopped = true;
      stopTimer();
    },
  };
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

function channelCause({ channel, failures, detail }: ChannelFault): Cause {
  const name = channel === 'email' ? 'Email' : 'Webhook';
  return causeOf('health.channel', { channel: name, count: failures, reason: detail });
}
