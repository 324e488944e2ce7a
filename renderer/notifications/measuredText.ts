import type { EventValues } from '../../server/contract/events.ts';
import { formatNumber } from '../format/numbers.ts';
import { formatDuration } from '../format/span.ts';

/** A measured or an allowed value with its unit: 94 km/h, 42 min, 4.2 m/s². */
function valueText(value: number, unit: string | null): string {
  if (unit === 's') return formatDuration(value * 1_000);
  const number = formatNumber(value, Number.isInteger(value) ? 0 : 1);
  return unit === null ? number : `${number}\u00a0${unit}`;
}

export function measuredText({ measured, unit }: Pick<EventValues, 'measured' | 'unit'>): string | null {
  return measured === null ? null : valueText(measured, unit);
}

export function allowedText({ threshold, unit }: Pick<EventValues, 'threshold' | 'unit'>): string | null {
  return threshold === null ? null : valueText(threshold, unit);
}
