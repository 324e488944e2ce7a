import { formatSpeed } from '../format/numbers.ts';
import type { Translate } from '../i18n/text.ts';
import type { LivePosition } from './positionStore.ts';
import type { ShownStatus } from './statusStore.ts';

/** What a vehicle does, in a word or two: its speed while it moves, its last one while it is overdue. */
export function statusWords(status: ShownStatus, live: LivePosition | undefined, t: Translate): string {
  const speed_kmh = live?.last.speed_kmh ?? 0;
  if (status === 'moving') return formatSpeed(speed_kmh);
  if (status === 'overdue' && speed_kmh > 0) return t('status.last_speed', { speed: formatSpeed(speed_kmh) });
  return t(`status.${status}`);
}
