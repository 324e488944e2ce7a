import { compassPoint } from '../../format/compass.ts';
import type { DepotTime } from '../../format/depotTime.ts';
import { formatSpeed } from '../../format/numbers.ts';
import { coordinatesText } from '../../telemetry/placeNames.ts';
import type { RenderedPlace } from './placeAt.ts';

export interface Snapped {
  vehicle: string;
  plate: string | null;
  /** "1 Front"; of several channels the numbers. */
  channel: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Where it was; null where nobody knows. */
  place: RenderedPlace | null;
  /** The place in words. */
  placeName: string;
}

/** What stands below a snapshot: who, when, how fast and where. */
export function snapshotLabels(snapped: Snapped, time: DepotTime): string[][] {
  const { vehicle, plate, channel, at, place, placeName } = snapped;
  const second = new Date(at).toISOString();
  const hundredths = String(Math.floor((at % 1_000) / 10)).padStart(2, '0');
  const coordinates = place === null ? '' : coordinatesText(place.lat, place.lon);
  return [
    [vehicle, plate ?? '', channel],
    [
      `${time.date(at)} ${second.slice(0, 4)} ${time.clock(at)}.${hundredths} ${time.zone(at)}`,
      `${second.slice(0, 19).replace('T', ' ')} UTC`,
    ],
    place === null
      ? []
      : [
          place.speedKmh === null ? '' : formatSpeed(place.speedKmh),
          place.courseDeg === null ? '' : compassPoint(place.courseDeg),
          placeName === coordinates ? '' : placeName,
          coordinates,
        ],
  ];
}
