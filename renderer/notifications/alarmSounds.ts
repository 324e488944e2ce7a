import type { Notification } from '../../server/contract/notifications.ts';
import {
  alarmSeverities,
  type AlarmSounds,
  type BuiltInSound,
  type OwnSound,
} from '../../server/contract/preferences.ts';
import type { Clock } from '../clock/clock.ts';

/** What is heard while a user has set nothing. */
export const DEFAULT_SOUNDS: AlarmSounds = {
  volume: 0.6,
  alarm: { sound: 'siren', repeat: 'none', every_s: 30 },
  warning: { sound: 'rising', repeat: 'none', every_s: 60 },
};

/** What is heard of a notification: as its rule has it, else as the user has set its severity; null: nothing. */
export function soundOf(
  { severity, quiet, sound }: Pick<Notification, 'severity' | 'quiet' | 'sound'>,
  sounds: AlarmSounds,
): BuiltInSound | OwnSound | null {
  if (quiet || severity === 'info') return null;
  const own = sounds[severity].sound;
  // Who has silenced a severity hears none of its rules.
  if (own === 'none' || sound === 'none') return null;
  return sound === 'default' ? own : sound;
}

/**
 * Repeats the sound of what is open until it was seen, or until somebody acknowledges it, as the user has set it by
 * severity. While alarms repeat, warnings do not.
 */
export function createSoundRepeater({
  clock,
  open,
  sounds,
  play,
}: {
  clock: Pick<Clock, 'after'>;
  /** The rows that wait for somebody, in the order of the queue. */
  open: () => readonly Notification[];
  sounds: () => AlarmSounds;
  play: (notification: Notification) => void;
}) {
  const seen = new Set<string>();
  const timers = new Map<(typeof alarmSeverities)[number], { every_s: number; stop: () => void }>();

  function due(severity: (typeof alarmSeverities)[number]): Notification | undefined {
    const settings = sounds();
    const { repeat } = settings[severity];
    if (repeat === 'none') return undefined;
    return open().find(
      (it) =>
        it.severity === severity &&
        soundOf(it, settings) !== null &&
        (repeat === 'acknowledged' || !seen.has(it.notification_id)),
    );
  }

  /** Called when something has changed: what waits, what was seen, or how it repeats. */
  function review(): void {
    for (const severity of alarmSeverities) {
      const { every_s } = sounds()[severity];
      const timer = timers.get(severity);
      const isDue = due(severity) !== undefined;
      if (isDue && timer?.every_s === every_s) continue;
      timer?.stop();
      timers.delete(severity);
      if (!isDue) continue;
      const stop = clock.after(every_s * 1_000, () => {
        timers.delete(severity);
        const first = due(severity);
        if (first !== undefined && (severity === 'alarm' || due('alarm') === undefined)) play(first);
        review();
      });
      timers.set(severity, { every_s, stop });
    }
  }

  return {
    review,
    /** It is new, or opens again after it was acknowledged: that it was seen before counts no longer. */
    arrive(id: string): void {
      seen.delete(id);
      review();
    },
    /** It was selected, in this window or in another one. */
    see(id: string): void {
      seen.add(id);
      review();
    },
    stop(): void {
      for (const { stop } of timers.values()) stop();
      timers.clear();
    },
  };
}
