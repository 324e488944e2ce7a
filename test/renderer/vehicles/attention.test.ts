import { describe, expect, it } from 'vitest';
import { attentionByVehicle } from '../../../renderer/vehicles/attention.ts';
import { sampleNotification } from '../samples.ts';

describe('the list of what needs attention', () => {
  it('the list of what needs attention is the gravest of what is open', () => {
    const attention = attentionByVehicle([
      sampleNotification({ notification_id: 'a', severity: 'warning' }),
      sampleNotification({ notification_id: 'b', severity: 'alarm' }),
      sampleNotification({ notification_id: 'c', severity: 'info', vehicle_id: 'v2' }),
    ]);
    expect([...attention]).toEqual([['v1', { severity: 'alarm', acknowledged: false }]]);
  });

  it('the list of what needs attention stays, marked as taken, while an acknowledged alarm goes on', () => {
    const taken = sampleNotification({ state: 'acknowledged', severity: 'alarm' });
    expect(attentionByVehicle([taken]).get('v1')).toEqual({ severity: 'alarm', acknowledged: true });
    expect(attentionByVehicle([{ ...taken, ongoing_until: taken.last_time }]).size).toBe(0);
    const open = sampleNotification({ notification_id: 'x', severity: 'warning' });
    expect(attentionByVehicle([taken, open]).get('v1')).toEqual({ severity: 'warning', acknowledged: false });
  });
});
