import type { EventDetails } from '../contract/events.ts';
import type { EventRow } from '../store/telemetry/rows.ts';
import { isoTime } from './presentPosition.ts';

/** A fix that an event may rest on. */
export interface EvidenceFix {
  time_ms: number;
  lat: number;
  lon: number;
  speed_kmh: number | null;
}

const noDetails: EventDetails = {
  measured: null,
  threshold: null,
  unit: null,
  duration_s: null,
  alarm: null,
  limit_source: null,
  ended_at: null,
  fixes: [],
};

/** The numbers of an event; what is not said is null. */
function detailsOf(details: Partial<EventDetails>): EventDetails {
  return { ...noDetails, ...details };
}

export function evidence({ time_ms, lat, lon, speed_kmh }: EvidenceFix): EventDetails['fixes'][number] {
  return { time: isoTime(time_ms), lat, lon, speed_kmh };
}

/** The fixes as evidence, each once and in order of time. */
export function evidenceOf(...fixes: readonly (EvidenceFix | null)[]): EventDetails['fixes'] {
  const byTime = new Map<number, EvidenceFix>();
  for (const fix of fixes) if (fix !== null) byTime.set(fix.time_ms, fix);
  return [...byTime.values()].sort((a, b) => a.time_ms - b.time_ms).map(evidence);
}

export type NewEvent = Pick<EventRow, 'event_id' | 'kind' | 'vehicle_id' | 'time_ms' | 'received_ms'> &
  Partial<Omit<EventRow, 'details'>> & { details: Partial<EventDetails> };

/** An event on time, at no known place, by the numbers of the settings, unless said otherwise. */
export function eventRow({ details, ...more }: NewEvent): EventRow {
  return {
    late: false,
    lat: null,
    lon: null,
    geozone_id: null,
    rule_id: null,
    rule_version: null,
    ...more,
    details: detailsOf(details),
  };
}
