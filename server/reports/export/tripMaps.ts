import type { Trip } from '../../contract/reportRows.ts';
import type { TileReader } from '../../maps/readTiles.ts';
import type { HistoryReader } from '../../store/telemetry/historyReader.ts';
import type { CsvRow } from '../csvColumns.ts';
import { createServerWords } from '../../contract/texts/serverWords.ts';
import { wallClock } from '../localDays.ts';
import type { ReportJob } from '../reportOrder.ts';
import { createCellText } from './cells.ts';
import type { Box } from './pdfChart.ts';
import { ink } from './pdfInk.ts';
import { drawMap, type TrackPoint } from './pdfMap.ts';
import type { Appendix } from './pdfReport.ts';
import type { PdfText } from './pdfText.ts';

/** Ten pages of maps. */
const maxMaps = 60;
const columns = 3;
const gap = 14;
const perPage = 2 * columns;
const mapHeight = 192;
const captionHeight = 34;
/** More of a trip than this are not seen on a map of some inches; a trip may be a year. */
const maxPoints = 5_000;

/** The maps of the first trips of a report, for pages after its table. */
export function createTripMaps(
  { kind, tz, numbers, maps, wording }: ReportJob,
  reader: HistoryReader,
  tiles: Pick<TileReader, 'features'>,
) {
  const first: { vehicle: CsvRow['vehicle']; trip: Trip }[] = [];
  let all = 0;
  const clockAt = wallClock(tz);
  const words = createServerWords(wording);
  const textOf = createCellText(tz, words);
  const minute = (time: string) => words.clock(clockAt(Date.parse(time)).slice(0, 16));

  function trackOf({ vehicle, trip }: (typeof first)[number]): TrackPoint[] {
    const rows = reader.track(vehicle.vehicle_id, Date.parse(trip.start_time), Date.parse(trip.end_time));
    return evenly(rows, maxPoints);
  }

  /** What the files of the maps ask for, at the foot of a page. */
  function drawCredit(text: PdfText, page: Box, tracks: readonly TrackPoint[][]): void {
    const isSeen = ({ area }: (typeof maps)[number]) =>
      tracks
        .flat()
        .some(
          ({ lat, lon }) => lat >= area.south && lat <= area.north && lon >= area.west && lon <= area.east,
        );
    const licences = new Set(maps.filter((it) => it.licence !== '' && isSeen(it)).map((it) => it.licence));
    if (licences.size === 0) return;
    const line = { x: page.x, width: page.width, baseline: page.y + page.height - 2 };
    text.line(words.say('file.maps_of', { licences: [...licences].join(' · ') }), {
      size: 6.5,
      colour: ink.soft,
      ...line,
    });
  }

  const append: Appendix = async (doc, text, nextPage) => {
    for (let begin = 0; begin < first.length; begin += perPage) {
      const page = nextPage();
      const title =
        all > first.length
          ? words.say('file.maps_first', { shown: first.length, total: all })
          : words.say('file.maps');
      text.line(title, { size: 11, weight: 600, x: page.x, baseline: page.y + 12 });
      const width = (page.width - gap * (columns - 1)) / columns;
      const mapped: TrackPoint[][] = [];
      for (const [at, it] of first.slice(begin, begin + perPage).entries()) {
        const x = page.x + (at % columns) * (width + gap);
        const y = page.y + 24 + Math.floor(at / columns) * (mapHeight + captionHeight);
        const { vehicle, trip } = it;
        text.line(vehicle.name, { size: 8, weight: 600, x, width, baseline: y + 9 });
        const facts = [
          words.say('file.period', { from: minute(trip.start_time), to: minute(trip.end_time) }),
          `${textOf('distance', words.distance(trip.distance_m) * 1_000)} ${words.distanceUnit}`,
          textOf('duration', trip.duration_s),
        ].join(' · ');
        text.line(facts, { size: 7, colour: ink.soft, x, width, baseline: y + 19 });
        const track = trackOf(it);
        const box = { x, y: y + 24, width, height: mapHeight };
        if (await drawMap(doc, text, box, track, tiles.features, numbers.trip_gap_s * 1_000, words))
          mapped.push(track);
      }
      drawCredit(text, page, mapped);
    }
  };

  return {
    /** Looks at rows as they pass. */
    *watching(rows: Iterable<CsvRow>): Generator<CsvRow> {
      for (const row of rows) {
        all += 1;
        // The rows are of the kind of the report.
        if (kind === 'trips' && first.length < maxMaps)
          first.push({ vehicle: row.vehicle, trip: row.row as Trip });
        yield row;
      }
    },
    append,
  };
}

/** The first, the last and every so many of the drawn positions one, so that no more than twice `max` are held. */
export function evenly(rows: Iterable<TrackPoint & { valid: boolean }>, max: number): TrackPoint[] {
  let points: TrackPoint[] = [];
  let last: TrackPoint | null = null;
  let step = 1;
  let seen = 0;
  for (const { valid, time_ms, lat, lon } of rows) {
    if (!valid) continue;
    last = { time_ms, lat, lon };
    if (seen % step === 0) points.push(last);
    seen += 1;
    if (points.length < 2 * max) continue;
    points = points.filter((_, at) => at % 2 === 0);
    step *= 2;
  }
  if (last !== null && points.at(-1) !== last) points.push(last);
  return points;
}
