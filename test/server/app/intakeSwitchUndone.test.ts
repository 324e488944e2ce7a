import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createIntakeBinding } from '../../../server/app/intakeBinding.ts';
import { settingsFields, type Settings } from '../../../server/contract/settings.ts';
import { DiskFull } from '../../../server/store/storeErrors.ts';

const settings: Settings = {
  ...settingsFields.parse({}),
  instance_id: 'one',
  version: 1,
  updated_at: '2026-11-21T12:00:00.000Z',
  maps_version: 1,
  overridden: [],
};

/** A switch over listeners that only record their ports. */
function openSwitch(
  store: () => Promise<Settings>,
  move: (host: string) => Promise<void> = () => Promise.resolve(),
) {
  const moves: string[] = [];
  const opening = createIntakeBinding({
    settings: {
      instanceId: 'one',
      now: () => ({ ...settings, backup_folder: '' }),
      present: () => settings,
      check: (patch) => ({ ...settings, backup_folder: '', ...patch }),
      patch: store,
    },
    intake: {
      listeners: {},
      open: (host) => {
        moves.push(host);
        return Promise.resolve();
      },
      rebind: (host) => {
        moves.push(host);
        return move(host);
      },
    },
    config: { intakeHost: null },
    openHost: '0.0.0.0',
    log: pino({ level: 'silent' }),
  });
  return { opening, moves };
}

it('the intake switch restores the listeners when the setting cannot be stored', async () => {
  const { opening, moves } = openSwitch(() => Promise.reject(new DiskFull('no room')));
  await opening.start();
  await expect(opening.patch({ intake_open: true }, null)).rejects.toThrow(DiskFull);
  expect(moves).toEqual(['127.0.0.1', '0.0.0.0', '127.0.0.1']);
  expect(opening.fault()).toBeNull();
});

it('the intake switch stores nothing when the listeners cannot be moved, and forgets it when the user accepts their ports', async () => {
  let stored = 0;
  const store = () => {
    stored += 1;
    return Promise.resolve(settings);
  };
  const { opening } = openSwitch(store, () => Promise.reject(new Error('a fault of the system')));
  await expect(opening.patch({ intake_open: true }, null)).rejects.toMatchObject({ code: 'unavailable' });
  expect(stored).toBe(0);
  const fault = [{ code: 'verbatim', values: { detail: 'a fault of the system' } }];
  expect(opening.fault()).toEqual(fault);
  await opening.patch({ depot_name: 'North' }, null);
  expect(opening.fault()).toEqual(fault);
  await opening.patch({ intake_open: false }, null);
  expect(opening.fault()).toBeNull();
  expect(stored).toBe(2);
});
