import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queueOrder } from '../../../renderer/notifications/queueOrder.ts';
import { sampleNotification } from '../samples.ts';

const at = (minute: number) => `2026-11-21T12:${String(minute).padStart(2, '0')}:00.000Z`;

describe('the order of the queue', () => {
  it('the order of the queue puts alarms before warnings before notices, and rows that waited longest first among equals', () => {
    const rows = [
      sampleNotification({ notification_id: 'info', severity: 'info', first_time: at(0) }),
      sampleNotification({ notification_id: 'new alarm', severity: 'alarm', first_time: at(9) }),
      sampleNotification({ notification_id: 'warning', severity: 'warning', first_time: at(1) }),
      sampleNotification({ notification_id: 'old alarm', severity: 'alarm', first_time: at(5) }),
    ];
    expect(queueOrder(rows).map((it) => it.notification_id)).toEqual([
      'old alarm',
      'new alarm',
      'warning',
      'info',
    ]);
  });

  it('the order of the queue leaves out what was acknowledged', () => {
    expect(queueOrder([sampleNotification({ state: 'acknowledged' })])).toEqual([]);
  });

  it('the order of the queue keeps a row where it is when its alarm repeats', () => {
    const first = sampleNotification({ notification_id: 'a', first_time: at(1), last_time: at(1) });
    const second = sampleNotification({ notification_id: 'b', first_time: at(2), last_time: at(2) });
    const repeated = { ...first, last_time: at(9), count: 5 };
    expect(queueOrder([second, repeated]).map((it) => it.notification_id)).toEqual(['a', 'b']);
  });

  it('the order of the queue does not depend on the order in which notifications came', () => {
    const row = fc.record({
      notification_id: fc.uuid(),
      severity: fc.constantFrom('info', 'warning', 'alarm'),
      first_time: fc.nat(59).map(at),
    });
    fc.assert(
      fc.property(fc.uniqueArray(row, { selector: (it) => it.notification_id }), (fields) => {
        const rows = fields.map((it) => sampleNotification(it));
        const ids = (list: typeof rows) => queueOrder(list).map((it) => it.notification_id);
        expect(ids([...rows].reverse())).toEqual(ids(rows));
      }),
    );
  });
});
