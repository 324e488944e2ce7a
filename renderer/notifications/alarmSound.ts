import type { Severity } from '../../server/contract/rules.ts';

/** Tones in hertz, each for so many seconds: an alarm falls thrice, a warning rises once. */
const TONES: Record<'alarm' | 'warning', readonly (readonly [hz: number, s: number])[]> = {
  alarm: [
    [880, 0.14],
    [660, 0.14],
    [880, 0.14],
    [660, 0.14],
    [880, 0.14],
    [660, 0.2],
  ],
  warning: [
    [520, 0.16],
    [690, 0.24],
  ],
};
const LOUDNESS = 0.18;
/** Tones begin and end softly: a hard edge clicks. */
const EDGE_S = 0.012;

export type AlarmSound = ReturnType<typeof createAlarmSound>;

/** Sounds made as they are needed. Browsers hold sound back until the user has touched the page. */
export function createAlarmSound() {
  let context: AudioContext | null = null;
  return {
    play(severity: Severity): void {
      if (severity === 'info') return;
      context ??= new AudioContext();
      const audio = context;
      void audio.resume().then(() => {
        let at = audio.currentTime;
        for (const [hz, s] of TONES[severity]) {
          const tone = audio.createOscillator();
          const gain = audio.createGain();
          tone.frequency.value = hz;
          gain.gain.setValueAtTime(0, at);
          gain.gain.linearRampToValueAtTime(LOUDNESS, at + EDGE_S);
          gain.gain.setValueAtTime(LOUDNESS, at + s - EDGE_S);
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
