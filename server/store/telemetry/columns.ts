// How JavaScript's values stand in SQLite's columns. Both ways lie here, so that what is read is what was written.

export function fromFlag(flag: boolean): number;
export function fromFlag(flag: boolean | null): number | null;
export function fromFlag(flag: boolean | null): number | null {
  return flag === null ? null : Number(flag);
}

export function toFlag(column: number): boolean;
export function toFlag(column: number | null): boolean | null;
export function toFlag(column: number | null): boolean | null {
  return column === null ? null : column === 1;
}

/** Null stays NULL. */
export function fromJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** The text was written by `fromJson` from a `T`; the database's version guards its form. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- named where the column's meaning is known
export function toJson<T>(column: string): T {
  return JSON.parse(column) as T;
}

/** An empty list or map takes no space in a table of a billion rows. */
export function fromJsonOrEmpty(value: object): string | null {
  return Object.keys(value).length === 0 ? null : JSON.stringify(value);
}

/** What happens to the host itself has no vehicle; its column takes no NULL, and its indexes are by vehicle. */
export function fromVehicleId(vehicleId: string | null): string {
  return vehicleId ?? '';
}

export function toVehicleId(stored: string): string | null {
  return stored === '' ? null : stored;
}
