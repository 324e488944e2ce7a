import { BitsError } from './bits.ts';

/** What stands damaged in a stream is passed over, as a decoder does. */
export function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof BitsError) return null;
    throw error;
  }
}
