import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { howSosIsHeard, isArrival, isMuted, sendKept } from '../../../renderer/appContext/startAlarms.ts';
import type { LinkState } from '../../../renderer/stream/streamReader.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { sampleNotification } from '../samples.ts';

describe('the alarm sound', () => {
  it('the alarm sound plays for a new row, not for its repetition', () => {
    const row = sampleNotification();
    expect(isArrival(undefined, row)).toBe(true);
    expect(isArrival(row, { ...row, count: 2 })).toBe(false);
  });

  it('the alarm sound plays neither for a notice nor for an acknowledgement', () => {
    expect(isArrival(undefined, sampleNotification({ severity: 'info' }))).toBe(false);
    expect(isArrival(undefined, sampleNotification({ state: 'acknowledged' }))).toBe(false);
  });

  it('the alarm sound plays for a row that opens again after it was acknowledged', () => {
    const taken = sampleNotification({ state: 'acknowledged' });
    expect(isArrival(taken, sampleNotification({ count: 2 }))).toBe(true);
  });

  it('the alarm sound is muted until the time that the program says, and never in a browser', () => {
    const preferences = createStore(() => ({
      ...{ startAtLogin: null, keepRunning: true, confirmQuit: true },
      mutedUntil: 1_000,
    }));
    const program = { preferences, change: () => Promise.resolve() };
    expect([isMuted(program, 999), isMuted(program, 1_000), isMuted(null, 999)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('what the server did not take', () => {
  it('what the server did not take is sent when the link is back, and again while it still waits', () => {
    const clock = createFakeClock();
    const kept = createStore<ReturnType<AppContext['acks']['store']['getState']>>(() => ({
      waiting: new Map(),
      progress: null,
    }));
    const outbox = createStore<ReturnType<AppContext['incidentWork']['outbox']['getState']>>(() => ({
      waiting: new Map(),
    }));
    let link: (state: LinkState) => void = () => undefined;
    let sent = 0;
    const flush = () => {
      sent++;
      return Promise.resolve();
    };
    const stop = sendKept({
      clock,
      stream: {
        onLink: (handle) => {
          link = handle;
          return () => undefined;
        },
      },
      acks: { store: kept, flush },
      incidentWork: { outbox, flush: () => Promise.resolve() },
    });
    kept.setState({ waiting: new Map([['n1', null]]) });
    clock.advance(60_000);
    expect(sent).toBe(0);
    link({ phase: 'live', since: 0, lostBefore: null });
    expect(sent).toBe(1);
    clock.advance(60_000);
    expect(sent).toBe(5);
    kept.setState({ waiting: new Map() });
    clock.advance(15_000);
    const settled = sent;
    clock.advance(60_000);
    expect(sent).toBe(settled);
    stop();
  });
});

describe('an SOS that opens an incident', () => {
  const heard = (ids: string[], alarms: Record<string, 'alarm' | 'warning'>) =>
    howSosIsHeard(
      { notification_ids: ids },
      new Map(Object.entries(alarms).map(([id, severity]) => [id, { severity }])),
    );

  it('an SOS is heard once: by its alarm where that is as grave, also when the alarm comes after the incident', () => {
    expect(heard(['n1'], { n1: 'alarm' })).toBe('already');
    expect(heard(['n1', 'n2'], { n1: 'warning', n2: 'alarm' })).toBe('already');
    expect(heard(['n1'], {})).toEqual({ with: 'n1' });
  });

  it('an SOS without an alarm, or with a mild one alone, is announced by its incident', () => {
    expect(heard([], {})).toBe('now');
    expect(heard(['n1'], { n1: 'warning' })).toBe('now');
  });
});
