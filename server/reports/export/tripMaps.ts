import type { Trip } from '../../contract/reportRows.ts';
import type { TileReader } from '../../maps/readTiles.ts';
import type { HistoryReader } from '../../store/telemetry/historyReader.ts';
import type { CsvRow } from '../csvColumns.ts';
import { wallClock } from '../localDays.ts';
import type { ReportJob } from '../reportOrder.ts';
import { createCellText } from './cells.ts';
import type { Box } from './pdfChart.ts';
import { ink } from './pdfInk.ts';
import { drawMap, type TrackPoint } from './pdfMap.ts';
import type { Appendix } from './pdfReport.ts';

/** Ten pages of maps. */
const maxMaps = 60;
const columns = 3;
const gap = 14;
const mapHeight = 200;
const captionHeight = 34;
/** Of positions a line of some inches shows no more. */
const maxPoints = 20_000;

/** The maps of the first trips of a report, for pages after its table. */
export function createTripMaps(
  { kind, tz, numbers, maps }: ReportJob,
  reader: HistoryReader,
  tiles: Pick<TileReader, 'features'>,
) {
  const first: { vehicle: CsvRow['vehicle']; trip: Trip }[] = [];
  let all = 0;
  const clockAt = wallClock(tz);
  const textOf = createCellText(tz);
  const minute = (time: string) => clockAt(Date.parse(time)).slice(0, 16);

  function trackOf({ vehicle, trip }: (typeof first)[number]): TrackPoint[] {
    const points: TrackPoint[] = [];
    for (const row of reader.track(
      vehicle.vehicle_id,
      Date.parse(trip.start_time),
      Date.parse(trip.end_time),
    )) {
      if (row.valid) points.push({ time_ms: row.time_ms, lat: row.lat, lon: row.lon });
    }
    const step = Math.ceil(points.length / maxPoints);
    return step <= 1 ? points : points.filter((_, at) => at % step === 0 || at === points.length - 1);
  }

  const append: Appendix = async (doc, text, nextPage) => {
    if (first.length === 0) return;
    const drawn = new Set<string>();
    let page: Box | null = null;
    const width = (box: Box) => (box.width - gap * (columns - 1)) / columns;
    for (const [at, it] of first.entries()) {
      const onPage = at % (2 * columns);
      if (onPage === 0) {
        page = nextPage();
        const count = all > first.length ? `, the first ${first.length} of ${all}` : '';
        text.line(`Maps of the trips${count}`, { size: 11, weight: 600, x: page.x, baseline: page.y + 12 });
      }
      if (page === null) continue;
      const x = page.x + (onPage % columns) * (width(page) + gap);
      const y = page.y + 24 + Math.floor(onPage / columns) * (mapHeight + captionHeight);
      const box = { x, y: y + 24, width: width(page), height: mapHeight - 8 };
      const { vehicle, trip } = it;
      const line = { x, width: box.width };
      text.line(vehicle.name, { size: 8, weight: 600, ...line, baseline: y + 9 });
      const facts = `${minute(trip.start_time)} to ${minute(trip.end_time)} · ${textOf('distance', trip.distance_m)} km · ${textOf('duration', trip.duration_s)}`;
      text.line(facts, { size: 7, colour: ink.soft, ...line, baseline: y + 19 });
      const track = trackOf(it);
      const gap_ms = numbers.trip_gap_s * 1_000;
      const isMap = await drawMap(doc, text, box, track, (z, tx, ty) => tiles.features(z, tx, ty), gap_ms);
      if (!isMap) continue;
      for (const { area, licence } of maps) {
        const isHere = track.some(
          ({ lat, lon }) => lat >= area.south && lat <= area.north && lon >= area.west && lon <= area.east,
        );
        if (isHere && licence !== '') drawn.add(licence);
      }
    }
    if (page === null || drawn.size === 0) return;
    const credit = `Maps: ${[...drawn].join(' · ')}`;
    text.line(credit, {
      size: 6.5,
      colour: ink.soft,
      x: page.x,
      baseline: page.y + page.height - 2,
      width: page.width,
    });
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
