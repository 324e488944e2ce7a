import { describe, expect, it } from 'vitest';
import type { Notification } from '../../../server/contract/notifications.ts';
import type { AlarmSounds } from '../../../server/contract/preferences.ts';
import { createSoundRepeater, DEFAULT_SOUNDS, soundOf } from '../../../renderer/notifications/alarmSounds.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { sampleNotification } from '../samples.ts';

describe('the sound of a notification', () => {
  it('the sound of a notification is that of its rule, else that of its severity', () => {
    const of = (fields: Partial<Notification>) => soundOf(sampleNotification(fields), DEFAULT_SOUNDS);
    expect(of({ severity: 'alarm' })).toBe('siren');
    expect(of({ severity: 'warning' })).toBe('rising');
    expect(of({ severity: 'warning', sound: 'bell' })).toBe('bell');
    expect(of({ severity: 'alarm', sound: 'none' })).toBeNull();
    expect(of({ severity: 'info', sound: 'bell' })).toBeNull();
    expect(of({ severity: 'alarm', quiet: true })).toBeNull();
  });

  it('the sound of a notification is none where the user has silenced its severity', () => {
    const sounds = { ...DEFAULT_SOUNDS, warning: { ...DEFAULT_SOUNDS.warning, sound: 'none' as const } };
    expect(soundOf(sampleNotification({ severity: 'warning', sound: 'bell' }), sounds)).toBeNull();
  });
});

describe('a repeated sound', () => {
  function repeating(change: Partial<AlarmSounds>) {
    const clock = createFakeClock();
    const played: string[] = [];
    let open = [
      sampleNotification({ notification_id: 'a', severity: 'alarm' }),
      sampleNotification({ notification_id: 'w', severity: 'warning' }),
    ];
    const repeater = createSoundRepeater({
      clock,
      open: () => open,
      sounds: () => ({ ...DEFAULT_SOUNDS, ...change }),
      play: (it) => played.push(it.notification_id),
    });
    repeater.review();
    return {
      ...{ clock, played, repeater },
      acknowledge: (id: string) => {
        open = open.filter((it) => it.notification_id !== id);
        repeater.review();
      },
    };
  }
  const until = (repeat: 'seen' | 'acknowledged', every_s: number) => ({
    sound: 'siren' as const,
    repeat,
    every_s,
  });

  it('a repeated sound is heard every so many seconds until somebody acknowledges the alarm', () => {
    const { clock, played, repeater, acknowledge } = repeating({ alarm: until('acknowledged', 20) });
    for (let at = 0; at < 3; at++) clock.advance(20_000);
    expect(played).toEqual(['a', 'a', 'a']);
    repeater.see('a');
    clock.advance(20_000);
    expect(played).toHaveLength(4);
    acknowledge('a');
    clock.advance(60_000);
    expect(played).toHaveLength(4);
  });

  it('a repeated sound ends when the alarm was seen, where the user has set it so', () => {
    const { clock, played, repeater } = repeating({ alarm: until('seen', 20) });
    clock.advance(20_000);
    repeater.see('a');
    clock.advance(60_000);
    expect(played).toEqual(['a']);
  });

  it('a repeated sound is heard again when an alarm that was seen opens again', () => {
    const { clock, played, repeater } = repeating({ alarm: until('seen', 20) });
    repeater.see('a');
    clock.advance(60_000);
    repeater.arrive('a');
    clock.advance(20_000);
    expect(played).toEqual(['a']);
  });

  it('a repeated sound of a warning rests while alarms repeat', () => {
    const { clock, played, acknowledge } = repeating({
      alarm: until('acknowledged', 20),
      warning: until('acknowledged', 20),
    });
    clock.advance(20_000);
    expect(played).toEqual(['a']);
    acknowledge('a');
    clock.advance(20_000);
    expect(played).toEqual(['a', 'w']);
  });

  it('a sound that is not repeated sets no timer, and a stopped one is heard no more', () => {
    const once = repeating({});
    once.clock.advance(600_000);
    expect(once.played).toEqual([]);
    const stopped = repeating({ alarm: until('seen', 20) });
    stopped.repeater.stop();
    stopped.clock.advance(600_000);
    expect(stopped.played).toEqual([]);
  });
});
