/** What a packet cannot be taken for; each has a code of its own in the answer. */
export type FaultKind =
  'structure' | 'time' | 'place' | 'motion' | 'satellites' | 'ports' | 'adc' | 'params' | 'checksum';

/** Why a packet cannot be read. */
export interface Fault {
  kind: FaultKind;
  /** In words. */
  why: string;
}

/**
 * What is found wrong while a packet is read; the first counts. No errors that are thrown: a black box may hold
 * thousands of packets that cannot be read, and each would take its time to note where it was thrown.
 */
export interface ValueErrors {
  first: Fault | null;
  /** Null, in the place of what cannot be read. */
  add(kind: FaultKind, detail: string): null;
}

export function createFaults(): ValueErrors {
  const faults: ValueErrors = {
    first: null,
    add(kind, detail) {
      faults.first ??= faultOf(kind, detail);
      return null;
    },
  };
  return faults;
}

const maxDetail = 100;

export function faultOf(kind: FaultKind, detail: string): Fault {
  return { kind, why: `${kind}: ${detail.slice(0, maxDetail)}` };
}

/** NA stands for no value; in the wild the field is empty as well. */
export function isAbsent(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === '' || trimmed.toUpperCase() === 'NA';
}

/** Null when the value is absent, and when it is no number, which is a fault of this kind. */
export function readDecimal(faults: ValueErrors, kind: FaultKind, text: string): number | null {
  return isAbsent(text) ? null : (decimalOf(text) ?? faults.add(kind, text));
}

/**
 * A whole number that is not negative, such as a mask of bits; as text where a double would not hold it exactly. Null as
 * of `readDecimal`.
 */
export function readCount(faults: ValueErrors, kind: FaultKind, text: string): number | string | null {
  if (isAbsent(text)) return null;
  const trimmed = text.trim();
  return /^\d{1,20}$/.test(trimmed) ? exactly(trimmed) : faults.add(kind, text);
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
export function measure(value: number | null, max = Infinity): number | null {
  return value === null || value < 0 || value > max ? null : value;
}
