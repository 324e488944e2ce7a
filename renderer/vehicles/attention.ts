import type { Notification } from '../../server/contract/notifications.ts';
import { graver } from '../notifications/queueOrder.ts';

/** What a vehicle's notifications make of it on the map and in lists. */
export interface Attention {
  severity: 'alarm' | 'warning';
  /** Everything that goes on has been taken by somebody. */
  acknowledged: boolean;
}

/**
 * By vehicle: open warnings and alarms, and those that were acknowledged but still go on (LOOKS 3). Of several the
 * open ones count first, then the gravest.
 */
export function attentionByVehicle(notifications: Iterable<Notification>): Map<string, Attention> {
  const result = new Map<string, Attention>();
  for (const it of notifications) {
    if (it.quiet || it.severity === 'info' || it.vehicle_id === null) continue;
    const open = it.state === 'open';
    if (!open && it.ongoing_until !== null) continue;
    const known = result.get(it.vehicle_id);
    if (known === undefined || (known.acknowledged && open)) {
      result.set(it.vehicle_id, { severity: it.severity, acknowledged: !open });
    } else if (known.acknowledged === !open && graver(it.severity, known.severity) === 'alarm') {
      result.set(it.vehicle_id, { ...known, severity: 'alarm' });
    }
  }
  return result;
}

export function sameAttention(a: ReadonlyMap<string, Attention>, b: ReadonlyMap<string, Attention>): boolean {
  if (a.size !== b.size) return false;
  for (const [id, one] of a) {
    const other = b.get(id);
    if (other === undefined || other.severity !== one.severity || other.acknowledged !== one.acknowledged)
      return false;
  }
  return true;
}
