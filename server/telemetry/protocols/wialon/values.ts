/** What a packet cannot be taken for; each has a code of its own in the answer. */
export type FaultKind =
  'structure' | 'time' | 'place' | 'motion' | 'satellites' | 'ports' | 'adc' | 'params' | 'checksum';

/** A packet that cannot be read. */
export class Fault extends Error {
  override name = 'Fault';
  readonly kind: FaultKind;

  constructor(kind: FaultKind, detail: string) {
    super(`${kind}: ${detail.slice(0, 100)}`);
    this.kind = kind;
  }
}

/** NA stands for no value; in the wild the field is empty as well. */
export function isAbsent(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === '' || trimmed.toUpperCase() === 'NA';
}

/** Null when the value is absent. Throws `Fault` of this kind. */
export function readDecimal(kind: FaultKind, text: string): number | null {
  if (isAbsent(text)) return null;
  const value = decimalOf(text);
  if (value === null) throw new Fault(kind, text);
  return value;
}

/** A whole number that is not negative, such as a mask of bits; as text where a double would not hold it exactly. */
export function readCount(kind: FaultKind, text: string): number | string | null {
  if (isAbsent(text)) return null;
  const trimmed = text.trim();
  if (!/^\d{1,20}$/.test(trimmed)) throw new Fault(kind, text);
  return exactly(trimmed);
}

/** Null for what is no number. */
export function decimalOf(text: string): number | null {
  const trimmed = text.trim();
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(trimmed)) return null;
  const value = Number(trimmed);
  // The store knows one zero only: a repeat must look like what it repeats.
  return Number.isFinite(value) ? value + 0 : null;
}

/** A whole number as it is, or its digits where a double would round them. */
export function exactly(digits: string): number | string {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value + 0 : digits;
}

/** Null for a value that cannot be measured: a terminal that says more is not to be lost for it. */
export function measure(value: number | null, most = Infinity): number | null {
  return value === null || value < 0 || value > most ? null : value;
}
