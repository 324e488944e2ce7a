import type { Driver, DriverCard, NewDriver } from '../../server/contract/drivers.ts';
import { parseDateTime } from '../../server/contract/localTime.ts';
import { dateField, readDate, readTime, timeField } from '../format/depotMoment.ts';
import type { TextKey } from '../i18n/text.ts';
import { isSame } from '../resources/rebaseForm.ts';

/** A driver as typed; empty texts are what nobody said. */
export interface DriverForm {
  name: string;
  phone: string;
  licence_number: string;
  licence_expires: string;
  external_id: string;
  note: string;
  cards: readonly CardLine[];
  group_ids: readonly string[];
}

export interface CardLine {
  number: string;
  /** In the depot's time zone, as `momentField` writes it. */
  from: string;
  to: string;
}

export const emptyDriver: DriverForm = {
  name: '',
  phone: '',
  licence_number: '',
  licence_expires: '',
  external_id: '',
  note: '',
  cards: [],
  group_ids: [],
};

export const DRIVER_FIELDS = {
  name: 'vehicle.name',
  phone: 'vehicle.phone',
  licence_number: 'drivers.licence',
  licence_expires: 'drivers.licence_expires',
  external_id: 'drivers.external_id',
  cards: 'drivers.cards',
  note: 'drivers.note',
  group_ids: 'vehicles.groups',
} as const satisfies Record<keyof DriverForm, TextKey>;

export function formOfDriver(driver: Driver | null, timeZone: string): DriverForm {
  if (driver === null) return emptyDriver;
  return {
    name: driver.name,
    phone: driver.phone ?? '',
    licence_number: driver.licence_number ?? '',
    licence_expires: driver.licence_expires ?? '',
    external_id: driver.external_id ?? '',
    note: driver.note ?? '',
    cards: driver.cards.map(({ number, from, to }) => ({
      number,
      from: momentField(from, timeZone),
      to: momentField(to, timeZone),
    })),
    group_ids: driver.group_ids,
  };
}

/** 2026-11-19 12:03, in the depot's time zone; empty for null. */
export function momentField(time: string | null, timeZone: string): string {
  if (time === null) return '';
  const ms = Date.parse(time);
  const clock = timeField(ms, timeZone);
  return `${dateField(ms, timeZone)} ${clock.endsWith(':00') ? clock.slice(0, -3) : clock}`;
}

/** What was typed as RFC 3339: null for nothing, undefined for what is no moment. A day alone begins at midnight. */
export function readMoment(text: string, timeZone: string): string | null | undefined {
  const [day, clock = '00:00', ...rest] = text.trim().split(/\s+/);
  if (day === undefined || day === '') return null;
  const [date, second] = [readDate(day), readTime(clock)];
  if (date === null || second === null || rest.length > 0) return undefined;
  return new Date(parseDateTime(date, second, timeZone)).toISOString();
}

/** The driver that the form describes; null where a moment of a card is none. */
export function driverOfForm(form: DriverForm, timeZone: string): NewDriver | null {
  const cards: DriverCard[] = [];
  for (const { number, from, to } of form.cards) {
    if (number.trim() === '' && from.trim() === '' && to.trim() === '') continue;
    const [begin, end] = [readMoment(from, timeZone), readMoment(to, timeZone)];
    if (begin === undefined || end === undefined) return null;
    cards.push({ number: number.trim(), from: begin, to: end });
  }
  const text = (typed: string) => (typed.trim() === '' ? null : typed.trim());
  return {
    name: form.name.trim(),
    phone: text(form.phone),
    licence_number: text(form.licence_number),
    licence_expires: text(form.licence_expires),
    external_id: text(form.external_id),
    note: text(form.note),
    cards,
    group_ids: [...form.group_ids],
  };
}

/** The fields that somebody else changed, or the form, and that now differ. */
export function driverDifferences(yours: DriverForm, base: DriverForm, theirs: DriverForm) {
  return (Object.keys(DRIVER_FIELDS) as (keyof DriverForm)[]).filter(
    (field) =>
      (!isSame(theirs[field], base[field]) || !isSame(yours[field], base[field])) &&
      !isSame(theirs[field], yours[field]),
  );
}
