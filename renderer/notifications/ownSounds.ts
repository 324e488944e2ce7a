import { z } from 'zod';
import type { OwnSound } from '../../server/contract/preferences.ts';
import type { TextStorage } from '../platform/platform.ts';

/** What a file may have: browsers keep some megabytes of texts for a page. */
export const OWN_SOUND_BYTES = 300_000;
export const OWN_SOUND_S = 10;

export type OwnSoundFault = 'too_large' | 'too_long' | 'unreadable';

const stored = z.object({ name: z.string(), base64: z.string() });

const keyOf = (slot: OwnSound): string => `alarm_sound.${slot}`;

/** The file of a slot; null where there is none, or none that can be read. */
export function readOwnSound(storage: Pick<TextStorage, 'read'>, slot: OwnSound) {
  const text = storage.read(keyOf(slot));
  if (text === null) return null;
  try {
    const { name, base64 } = stored.parse(JSON.parse(text));
    return { name, bytes: Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer };
  } catch {
    return null;
  }
}

/**
 * Keeps a file for a slot on this computer.
 *
 * @param durationOf rejects for what this browser cannot play
 * @returns why it was not kept; null when it was
 */
export async function keepOwnSound(
  storage: Pick<TextStorage, 'write'>,
  slot: OwnSound,
  file: File,
  durationOf: (bytes: ArrayBuffer) => Promise<number>,
): Promise<OwnSoundFault | null> {
  if (file.size > OWN_SOUND_BYTES) return 'too_large';
  const bytes = await file.arrayBuffer();
  const base64 = btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''));
  try {
    if ((await durationOf(bytes)) > OWN_SOUND_S) return 'too_long';
  } catch {
    return 'unreadable';
  }
  storage.write(keyOf(slot), JSON.stringify({ name: file.name, base64 }));
  return null;
}

export const removeOwnSound = (storage: Pick<TextStorage, 'write'>, slot: OwnSound): void =>
  storage.write(keyOf(slot), null);
