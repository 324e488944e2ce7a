import { describe, expect, it } from 'vitest';
import { HINTS, nextHint, noteSeen } from '../../../renderer/hints/hints.ts';
import { hintNames } from '../../../server/contract/preferences.ts';
import { areHintsLeft } from '../../../renderer/settings/userPreferences.ts';
import { openSession } from '../commands/openSession.ts';

const everything = () => true;

describe('the hints', () => {
  it('the hints come in their order, each once, and only to who is shown any', () => {
    expect(nextHint(undefined, everything)).toBeNull();
    const seen: (typeof hintNames)[number][] = [];
    for (const [at, id] of hintNames.entries()) {
      expect(nextHint(seen, everything)).toEqual({ hint: HINTS[id], number: at + 1 });
      seen.push(id);
    }
    expect(nextHint(seen, everything)).toBeNull();
    expect([{}, { hints_seen: [] }, { hints_seen: seen }].map(areHintsLeft)).toEqual([false, true, false]);
  });

  it('a hint whose subject is not on the screen waits, and those after it come', () => {
    const noQueue = (anchor: string) => anchor !== '.queue';
    expect(nextHint(['search'], noQueue)?.hint.id).toBe('history');
    expect(nextHint(['search', 'history', 'shift', 'keys'], noQueue)).toBeNull();
    expect(nextHint(['search', 'history'], everything)?.hint.id).toBe('queue');
  });

  it('what was seen is kept for all workstations, in the order of the hints', () => {
    const { app } = openSession();
    noteSeen(app, ['history']);
    noteSeen(app, ['search']);
    expect(app.userPreferences.store.getState().hints_seen).toEqual(['search', 'history']);
    noteSeen(app, hintNames);
    expect(app.userPreferences.store.getState().hints_seen).toEqual(hintNames);
  });
});
