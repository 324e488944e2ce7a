import { describe, expect, it } from 'vitest';
import {
  keepOwnSound,
  OWN_SOUND_BYTES,
  readOwnSound,
  removeOwnSound,
} from '../../../renderer/notifications/ownSounds.ts';

function openStorage() {
  const texts = new Map<string, string>();
  return {
    texts,
    read: (key: string) => texts.get(key) ?? null,
    write(key: string, text: string | null) {
      if (text === null) texts.delete(key);
      else texts.set(key, text);
    },
  };
}
const short = () => Promise.resolve(2);

describe('the sound files of a computer', () => {
  it('a file is kept byte for byte with its name until it is removed', async () => {
    const storage = openStorage();
    const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
    expect(await keepOwnSound(storage, 'own_1', new File([bytes], 'Gate.wav'), short)).toBeNull();
    const kept = readOwnSound(storage, 'own_1');
    expect(kept?.name).toBe('Gate.wav');
    expect(new Uint8Array(kept?.bytes ?? new ArrayBuffer())).toEqual(bytes);
    expect(readOwnSound(storage, 'own_2')).toBeNull();
    removeOwnSound(storage, 'own_1');
    expect(storage.texts.size).toBe(0);
  });

  it('a file that is too large, too long or cannot be played is not kept, and the one before stays', async () => {
    const storage = openStorage();
    await keepOwnSound(storage, 'own_3', new File(['x'], 'first.ogg'), short);
    const keep = (bytes: number, durationOf: () => Promise<number>) =>
      keepOwnSound(storage, 'own_3', new File([new Uint8Array(bytes)], 'next.ogg'), durationOf);
    expect(await keep(OWN_SOUND_BYTES + 1, short)).toBe('too_large');
    expect(await keep(1_000, () => Promise.resolve(10.1))).toBe('too_long');
    expect(await keep(1_000, () => Promise.reject(new Error('no sound')))).toBe('unreadable');
    expect(readOwnSound(storage, 'own_3')?.name).toBe('first.ogg');
  });

  it('a text that is no file is none', () => {
    const storage = openStorage();
    for (const text of ['', '{}', '{"name":"x","base64":"%"}']) {
      storage.write('alarm_sound.own_1', text);
      expect(readOwnSound(storage, 'own_1')).toBeNull();
    }
  });
});
