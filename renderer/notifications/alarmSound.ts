import type { BuiltInSound } from '../../server/contract/preferences.ts';

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

/** Sounds made as they are needed. Browsers hold sound back until the user has touched the page. */
export function createAlarmSound() {
  let context: AudioContext | null = null;
  return {
    /** @param volume 0 to 1 */
    play(sound: BuiltInSound, volume: number): void {
      const loudness = LOUDNESS * volume;
      context ??= new AudioContext();
      const audio = context;
      void audio.resume().then(() => {
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
      });
    },
    stop(): void {
      void context?.close();
      context = null;
    },
  };
}
