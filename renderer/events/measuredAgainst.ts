import type { EventValues } from '../../server/contract/events.ts';
import { allowedText, measuredText } from '../notifications/measuredText.ts';

/** 94 / 60 km/h, 42 min / 20 min; what was measured alone where nothing is allowed, '' where nothing was. */
export function measuredAgainst(values: EventValues): string {
  const measured = measuredText(values);
  const allowed = allowedText(values);
  if (measured === null) return '';
  if (allowed === null) return measured;
  const unit = values.unit === null || values.unit === 's' ? '' : `\u00a0${values.unit}`;
  return unit === '' ? `${measured} / ${allowed}` : `${measured.slice(0, -unit.length)} / ${allowed}`;
}
