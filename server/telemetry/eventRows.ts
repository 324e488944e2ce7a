import type { EventValues } from '../contract/events.ts';
import type { EventRow } from '../store/telemetry/rows.ts';
import { isoTime } from './presentPosition.ts';

/** A fix that an event may rest on. */
export interface EvidenceFix {
  time_ms: number;
  lat: number;
  lon: number;
  speed_kmh: number | null;
}

const noValues: EventValues = {
  measured: null,
  threshold: null,
  unit: null,
  duration_s: null,
  alarm: null,
  limit_from: null,
  ended_at: null,
  fixes: [],
};

/** The numbers of an event; what is not said is null. */
function valuesOf(values: Partial<EventValues>): EventValues {
  return { ...noValues, ...values };
}

export function evidence({ time_ms, lat, lon, speed_kmh }: EvidenceFix): EventValues['fixes'][number] {
  return { time: isoTime(time_ms), lat, lon, speed_kmh };
}

/** The fixes as evidence, each once and in order of time. */
export function evidenceOf(...fixes: readonly (EvidenceFix | null)[]): EventValues['fixes'] {
  const byTime = new Map<number, EvidenceFix>();
  for (const fix of fixes) if (fix !== null) byTime.set(fix.time_ms, fix);
  return [...byTime.values()].sort((a, b) => a.time_ms - b.time_ms).map(evidence);
}

export type NewEvent = Pick<EventRow, 'event_id' | 'kind' | 'vehicle_id' | 'time_ms' | 'received_ms'> &
  Partial<Omit<EventRow, 'values'>> & { values: Partial<EventValues> };

/** An event on time, at no known place, by the numbers of the settings, unless said otherwise. */
export function eventRow({ values, ...more }: NewEvent): EventRow {
  return {
    late: false,
    lat: null,
    lon: null,
    geozone_id: null,
    rule_id: null,
    rule_version: null,
    ...more,
    values: valuesOf(values),
  };
}
