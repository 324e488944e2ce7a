import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { isArrival, isMuted } from '../../../renderer/appContext/startAlarms.ts';
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
