import type { TimeRange } from '../geofences/scheduleClock.ts';
import { addDriven, noWay, type DrivenWay } from './drivenWay.ts';
import { dayAt, type LocalDay } from './localDays.ts';
import type { ReportFix } from './reportFix.ts';
import type { TimelineSegment } from './timeline.ts';
import { pieceOf, type TimelineEntry } from './trackSegments.ts';

/**
 * What a vehicle did on a day, or in what of it lies in the period: all that reports by days add up. Times are Unix ms.
 */
export interface DayRecord extends DrivenWay {
  driving_ms: number;
  stopped_ms: number;
  idle_ms: number;
  trips: number;
  stops: number;
  max_speed_kmh: number | null;
  positions: number;
  first_ms: number | null;
  last_ms: number | null;
  /** By the readings of the odometer, whatever the vehicle did; null where no two follow each other. */
  odometer_m: number | null;
  /** It drove already when the day or the data began, and still when they ended. */
  openStart: boolean;
  openEnd: boolean;
  /** When it drove: of each stretch begin, end and metres; cut at each full hour from the beginning of the day on. */
  driving: number[];
  /** When it stood: of each stretch begin and end. */
  standing: number[];
}

/** A record, and the positions that it depends on: one from `need_from_ms` to `need_to_ms`, if it came, may change it. */
export interface WorkedDay {
  record: DayRecord;
  need_from_ms: number;
  /** Null: to the end of the data. */
  need_to_ms: number | null;
}

const hourMs = 3_600_000;

function emptyRecord(): DayRecord {
  return {
    ...noWay(),
    driving_ms: 0,
    stopped_ms: 0,
    idle_ms: 0,
    trips: 0,
    stops: 0,
    max_speed_kmh: null,
    positions: 0,
    first_ms: null,
    last_ms: null,
    odometer_m: null,
    openStart: false,
    openEnd: false,
    driving: [],
    standing: [],
  };
}

/** What of each day lies in a period. */
export function spansOf(days: readonly TimeRange[], period: TimeRange): TimeRange[] {
  return days.map((day) => ({
    from_ms: Math.max(day.from_ms, period.from_ms),
    to_ms: Math.min(day.to_ms, period.to_ms),
  }));
}

/** What parts of a day add up to, of which `later` begins after the end of `record`. */
export function addRecord(record: DayRecord, later: DayRecord): DayRecord {
  const { driving, standing } = record;
  const odometers = [record.odometer_m, later.odometer_m].filter((it) => it !== null);
  const speeds = [record.max_speed_kmh, later.max_speed_kmh].filter((it) => it !== null);
  return {
    distance_m: record.distance_m + later.distance_m,
    track_m: record.track_m + later.track_m,
    by: record.by | later.by,
    driving_ms: record.driving_ms + later.driving_ms,
    stopped_ms: record.stopped_ms + later.stopped_ms,
    idle_ms: record.idle_ms + later.idle_ms,
    trips: record.trips + later.trips,
    stops: record.stops + later.stops,
    max_speed_kmh: speeds.length === 0 ? null : Math.max(...speeds),
    positions: record.positions + later.positions,
    first_ms: record.first_ms ?? later.first_ms,
    last_ms: later.last_ms ?? record.last_ms,
    odometer_m: odometers.length === 0 ? null : odometers.reduce((a, b) => a + b),
    openStart: driving.length === 0 ? later.openStart : record.openStart,
    openEnd: later.driving.length === 0 ? record.openEnd : later.openEnd,
    driving: [...driving, ...later.driving],
    standing: [...standing, ...later.standing],
  };
}

/**
 * Adds up days of one vehicle that follow each other, or parts of days. Trips and stops count where they begin; what is neither driving
 * nor standing is a gap.
 *
 * @param days whole, as the calendar has them; one for each span
 * @param spans what of each of them is added up, in order of time, without gaps between them
 * @param lead_ms from where on positions are read
 */
export function createDayRecords(days: readonly LocalDay[], spans: readonly TimeRange[], lead_ms: number) {
  const records = days.map(emptyRecord);
  const worked = records.map((record): WorkedDay => ({ record, need_from_ms: lead_ms, need_to_ms: null }));
  let read_ms = lead_ms;
  let [lastGap_ms, begun, done] = [lead_ms, 0, 0];
  /** The spans that the last fix and the last leg lie in, or come before. */
  let [seen, current] = [0, 0];
  const end_ms = spans.at(-1)?.to_ms ?? -Infinity;
  let odometerBefore: { time_ms: number; m: number } | null = null;
  /** The last leg that was driven, and where its end was added up. */
  let driven: { mark: TimelineEntry; record: DayRecord | null } | null = null;
  /** Of each record, the trip that drove last. */
  const lastTrips = new Map<DayRecord, TimelineEntry>();

  function recordAt(time_ms: number): DayRecord | undefined {
    return records[dayAt(spans, time_ms)];
  }

  function addSpeed({ time_ms, speed_kmh }: ReportFix): void {
    const record = recordAt(time_ms);
    if (record !== undefined && speed_kmh !== null)
      record.max_speed_kmh = Math.max(record.max_speed_kmh ?? 0, speed_kmh);
  }

  /** Each span that a stretch of time touches, with what is added up of it. */
  function eachSpan(
    { from_ms, to_ms }: TimeRange,
    see: (span: TimeRange, record: DayRecord, day: LocalDay) => void,
  ): void {
    for (let at = Math.max(0, dayAt(spans, from_ms)); at < spans.length; at += 1) {
      const [span, record, day] = [spans[at], records[at], days[at]];
      if (span === undefined || record === undefined || day === undefined || span.from_ms >= to_ms) return;
      if (span.to_ms > from_ms) see(span, record, day);
    }
  }

  /**
   * The way between two readings belongs to the time between them, so that periods add up; being set back is no way.
   * After a gap nothing is known of what was before it, as for all else.
   */
  function addOdometer({ from, to, isGap }: TimelineSegment): void {
    if (from.odometer_m !== null) odometerBefore = { time_ms: from.time_ms, m: from.odometer_m };
    else if (isGap) odometerBefore = null;
    const [before, m] = [odometerBefore, to.odometer_m];
    if (before === null || m === null) return;
    const [began_ms, ended_ms] = [before.time_ms, to.time_ms];
    eachSpan({ from_ms: began_ms, to_ms: ended_ms }, (span, record) => {
      const inside_ms = Math.min(ended_ms, span.to_ms) - Math.max(began_ms, span.from_ms);
      record.odometer_m =
        (record.odometer_m ?? 0) + (Math.max(0, m - before.m) * inside_ms) / (ended_ms - began_ms);
    });
  }

  function addDrive({ driving }: DayRecord, day: LocalDay, from_ms: number, to_ms: number, m: number): void {
    for (let begun_ms = from_ms; begun_ms < to_ms;) {
      const hour = Math.floor((begun_ms - day.from_ms) / hourMs);
      const ended_ms = Math.min(to_ms, day.from_ms + (hour + 1) * hourMs);
      const distance_m = (m * (ended_ms - begun_ms)) / (to_ms - from_ms);
      const last = driving.length - 3;
      const lastHour = Math.floor(((driving[last] ?? -Infinity) - day.from_ms) / hourMs);
      if (driving[last + 1] === begun_ms && lastHour === hour) {
        driving[last + 1] = ended_ms;
        driving[last + 2] = (driving[last + 2] ?? 0) + distance_m;
      } else {
        driving.push(begun_ms, ended_ms, distance_m);
      }
      begun_ms = ended_ms;
    }
  }

  function addLeg(leg: TimelineSegment): void {
    const { mark, isGap, from, to } = leg;
    if (isGap || mark === null) return;
    while ((spans[current]?.to_ms ?? Infinity) <= from.time_ms) current += 1;
    const [whole, record, day] = [spans[current], records[current], days[current]];
    if (whole !== undefined && record !== undefined && day !== undefined) {
      if (from.time_ms >= whole.from_ms && to.time_ms <= whole.to_ms) {
        // Nearly all of them: they are not cut.
        addPiece(leg, mark, record, day, from.time_ms, to.time_ms, false);
        return;
      }
    }
    eachSpan({ from_ms: from.time_ms, to_ms: to.time_ms }, (span, part, date) => {
      const piece = pieceOf(leg, span);
      if (piece === null) return;
      addPiece(leg, mark, part, date, piece.start.time_ms, piece.end.time_ms, piece.isCutAtStart);
    });
    if (mark.kind !== 'trip') return;
    if (driven?.mark !== mark) driven = { mark, record: null };
    else if (driven.record !== null && to.time_ms > end_ms) driven.record.openEnd = true;
  }

  function addPiece(
    leg: TimelineSegment,
    mark: TimelineEntry,
    record: DayRecord,
    day: LocalDay,
    from_ms: number,
    to_ms: number,
    isCutAtStart: boolean,
  ): void {
    const ms = to_ms - from_ms;
    if (leg.idle) record.idle_ms += ms;
    if (mark.kind === 'trip') {
      if (driven?.mark !== mark || driven.record !== record) noteDriver(record, mark, isCutAtStart);
      const share = ms / (leg.to.time_ms - leg.from.time_ms);
      record.driving_ms += ms;
      addDriven(record, leg, share);
      addDrive(record, day, from_ms, to_ms, leg.distance_m * share);
    } else {
      const { standing } = record;
      record.stopped_ms += ms;
      if (standing[standing.length - 1] === from_ms) standing[standing.length - 1] = to_ms;
      else standing.push(from_ms, to_ms);
    }
  }

  /** A trip that goes on from one day, or from before the first, into another. */
  function noteDriver(record: DayRecord, mark: TimelineEntry, isCutAtStart: boolean): void {
    const goesOn = isCutAtStart || driven?.mark === mark;
    if (record.driving.length === 0) record.openStart = goesOn || mark.beginsWithData;
    if (goesOn && driven !== null && driven.record !== null && driven.record !== record)
      driven.record.openEnd = true;
    lastTrips.set(record, mark);
    driven = { mark, record };
  }

  /** The timeline restarts after a gap, so that nothing before it counts; and what is decided is not decided anew. */
  function noteNeeds({ from, to, isGap }: TimelineSegment): void {
    for (let span = spans[begun]; span !== undefined && span.from_ms < to.time_ms; span = spans[begun]) {
      const day = worked[begun];
      if (day !== undefined)
        day.need_from_ms = isGap && from.time_ms < span.from_ms ? from.time_ms : lastGap_ms;
      begun += 1;
    }
    if (isGap) lastGap_ms = from.time_ms;
    for (let span = spans[done]; span !== undefined && span.to_ms <= from.time_ms; span = spans[done]) {
      const day = worked[done];
      if (day !== undefined) day.need_to_ms = read_ms;
      done += 1;
    }
  }

  return {
    /** To be shown the stored fixes in order of time: counts those of the days. */
    see({ time_ms }: ReportFix): void {
      read_ms = time_ms;
      while ((spans[seen]?.to_ms ?? Infinity) <= time_ms) seen += 1;
      const record = records[seen];
      if (record === undefined || time_ms < (spans[seen]?.from_ms ?? Infinity)) return;
      record.positions += 1;
      record.first_ms ??= time_ms;
      record.last_ms = time_ms;
    },

    /** Takes a timeline that was made of them. */
    work(legs: Iterable<TimelineSegment>): WorkedDay[] {
      let markBefore: TimelineSegment['mark'] = null;
      let isFirst = true;
      for (const leg of legs) {
        noteNeeds(leg);
        if (leg.from.time_ms >= end_ms) {
          if (driven?.record != null && driven.mark === leg.mark) driven.record.openEnd = true;
          break;
        }
        const begins = leg.mark !== null && leg.mark !== markBefore ? recordAt(leg.from.time_ms) : undefined;
        if (begins !== undefined) begins[leg.mark?.kind === 'trip' ? 'trips' : 'stops'] += 1;
        if (isFirst) addSpeed(leg.from);
        addSpeed(leg.to);
        if (leg.from.odometer_m !== null || leg.to.odometer_m !== null || leg.isGap) addOdometer(leg);
        addLeg(leg);
        [markBefore, isFirst] = [leg.mark, false];
      }
      for (const [record, mark] of lastTrips) record.openEnd ||= mark.endsWithData;
      // After the end of the data: a day that began later depends on all since the last gap, too.
      for (const day of worked.slice(begun)) day.need_from_ms = lastGap_ms;
      return worked;
    },
  };
}
