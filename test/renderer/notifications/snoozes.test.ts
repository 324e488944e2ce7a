import { describe, expect, it } from 'vitest';
import type { Api } from '../../../renderer/api/client.ts';
import { ApiProblem, Unreachable } from '../../../renderer/api/errors.ts';
import {
  createSnoozeActions,
  createSnoozeStore,
  ownDurationS,
} from '../../../renderer/notifications/snoozes.ts';

const made = {
  snooze_id: 's1',
  vehicle_id: 'v1',
  rule_id: null,
  until: '2026-11-21T12:15:00.000Z',
  note: null,
  created_by: 'u1',
  created_at: '2026-11-21T12:00:00.000Z',
};

function setUp(answer: () => Promise<unknown>) {
  // A stand-in for calls of the contract; the client itself is tested against a real server.
  const api = { request: answer } as unknown as Api;
  const snoozes = createSnoozeStore();
  const actions = createSnoozeActions(api, snoozes);
  return { actions, running: () => [...snoozes.store.getState().byId.keys()], snoozes };
}

const gone = new ApiProblem(
  { type: '', title: '', status: 404, detail: '', code: 'not_found', request_id: 'r' },
  null,
);

describe('snoozing', () => {
  it('snoozing shows what was snoozed without waiting for the stream', async () => {
    const { actions, running } = setUp(() => Promise.resolve(made));
    await actions.snooze({ vehicle_id: 'v1', duration_s: 900 });
    expect(running()).toEqual(['s1']);
  });

  it('snoozing lets a snooze go that is over already, and keeps one that could not be ended', async () => {
    const over = setUp(() => Promise.reject(gone));
    over.snoozes.put([made]);
    await over.actions.end('s1');
    expect(over.running()).toEqual([]);

    const lost = setUp(() => Promise.reject(new Unreachable('down')));
    lost.snoozes.put([made]);
    await expect(lost.actions.end('s1')).rejects.toThrow(Unreachable);
    expect(lost.running()).toEqual(['s1']);
  });
});

describe('a custom duration', () => {
  it('a custom duration is entered in minutes, up to seven days', () => {
    expect(ownDurationS('90')).toBe(5_400);
    expect(ownDurationS(' 1,5 ')).toBe(90);
    expect(ownDurationS('10080')).toBe(604_800);
    for (const text of ['', 'soon', '0', '-5', '10081']) expect(ownDurationS(text)).toBeNull();
  });
});
