import { expect, it } from 'vitest';
import { startQuietList } from '../../../server/notifications/quietList.ts';
import { start_ms } from './depot.ts';
import { listed, openQueue } from './queue.ts';

const hourMs = 3_600_000;
const everyMs = 600_000;

it('quiet notifications that nobody acknowledges are closed after the hours of the settings, others stay', async () => {
  const { depot, ids } = await openQueue(
    { of: 'north', minute: 0, severity: 'info', quiet: true },
    { of: 'north', minute: 30, severity: 'warning', quiet: true },
    { of: 'north', minute: 1, severity: 'warning' },
  );
  const faults: unknown[] = [];
  let closed = Promise.withResolvers<undefined>();
  let quiet_hours = 2;
  depot.clock.advance(2 * hourMs);
  const stop = startQuietList({
    store: depot.store,
    acknowledge: async (...given) => {
      const rows = await depot.acknowledge(...given);
      closed.resolve(undefined);
      return rows;
    },
    settings: () => ({ quiet_hours }),
    clock: depot.clock,
    log: { error: (fault: unknown) => void faults.push(fault) },
  });

  depot.clock.advance(everyMs);
  await closed.promise;
  expect(await listed(depot, 'dora', '?state=open')).toEqual([ids[1], ids[2]]);
  const { body } = await depot.call('dora', `GET /notifications/${ids[0]}`);
  expect(body).toMatchObject({
    state: 'acknowledged',
    ack: null,
    updated_at: new Date(start_ms + 2 * hourMs + everyMs).toISOString(),
  });

  closed = Promise.withResolvers<undefined>();
  quiet_hours = 1;
  depot.clock.advance(everyMs);
  await closed.promise;
  expect(await listed(depot, 'dora', '?state=open')).toEqual([ids[2]]);
  expect(faults).toEqual([]);
  stop();
});
