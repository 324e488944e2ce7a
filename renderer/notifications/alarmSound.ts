import type { BuiltInSound, OwnSound } from '../../server/contract/preferences.ts';

type Tones = readonly (readonly [hz: number, s: number])[];
const again = (tones: Tones, times: number): Tones => Array.from({ length: times }, () => tones).flat();

/** Tones in hertz, each for so many seconds; 0 Hz is a pause. */
const TONES: Record<BuiltInSound, Tones> = {
  siren: again(
    [
      [880, 0.14],
      [660, 0.16],
    ],
    3,
  ),
  beeps: again(
    [
      [1_000, 0.1],
      [0, 0.08],
    ],
    4,
  ),
  bell: [
    [1_320, 0.3],
    [1_060, 0.45],
  ],
  chime: [
    [660, 0.16],
    [830, 0.16],
    [990, 0.28],
  ],
  rising: [
    [520, 0.16],
    [690, 0.24],
  ],
  low: [[330, 0.4]],
};
/** At full volume. */
const LOUDNESS = 0.3;
/** Tones begin and end softly: a hard edge clicks. */
const EDGE_S = 0.012;

export type AlarmSound = ReturnType<typeof createAlarmSound>;

/**
 * Sounds made as they are needed, and files of this computer. Browsers hold sound back until the user has touched the
 * page.
 *
 * @param fileOf the bytes of a file; null: there is none
 */
export function createAlarmSound(fileOf: (sound: OwnSound) => ArrayBuffer | null) {
  let context: AudioContext | null = null;

  function playTones(audio: AudioContext, sound: BuiltInSound, loudness: number): void {
    let at = audio.currentTime;
    for (const [hz, s] of TONES[sound]) {
      const tone = audio.createOscillator();
      const gain = audio.createGain();
      const loud = hz === 0 ? 0 : loudness;
      tone.frequency.value = hz;
      gain.gain.setValueAtTime(0, at);
      gain.gain.linearRampToValueAtTime(loud, at + EDGE_S);
      gain.gain.setValueAtTime(loud, at + s - EDGE_S);
      gain.gain.linearRampToValueAtTime(0, at + s);
      tone.connect(gain).connect(audio.destination);
      tone.start(at);
      tone.stop(at + s);
      at += s;
    }
  }

  async function playFile(audio: AudioContext, bytes: ArrayBuffer, volume: number): Promise<void> {
    const source = audio.createBufferSource();
    source.buffer = await audio.decodeAudioData(bytes);
    const gain = audio.createGain();
    gain.gain.value = volume;
    source.connect(gain).connect(audio.destination);
    source.start();
  }

  return {
    /** A file that is not there, or cannot be played, is heard as the chime: an alarm is never silent. @param volume 0 to 1 */
    play(sound: BuiltInSound | OwnSound, volume: number): void {
      context ??= new AudioContext();
      const audio = context;
      void audio.resume().then(async () => {
        const loudness = LOUDNESS * volume;
        if (isBuiltIn(sound)) {
          playTones(audio, sound, loudness);
          return;
        }
        const bytes = fileOf(sound);
        if (bytes === null) playTones(audio, 'chime', loudness);
        else await playFile(audio, bytes, volume).catch(() => playTones(audio, 'chime', loudness));
      });
    },
    /** Of a file, in seconds; rejects for what this browser cannot play. The bytes are of no use afterwards. */
    async durationOf(bytes: ArrayBuffer): Promise<number> {
      context ??= new AudioContext();
      return (await context.decodeAudioData(bytes)).duration;
    },
    stop(): void {
      void context?.close();
      context = null;
    },
  };
}

const isBuiltIn = (sound: BuiltInSound | OwnSound): sound is BuiltInSound => sound in TONES;
