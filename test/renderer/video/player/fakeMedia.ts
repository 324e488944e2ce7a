import type { FrameTimes } from '../../../../renderer/video/player/frameTimes.ts';
import type { Media } from '../../../../renderer/video/player/playback.ts';

/** A channel whose time runs when the test says so. */
export class FakeMedia implements Media {
  at = 0;
  rate = 1;
  paused = true;
  seeks: number[] = [];
  seeking = false;
  readonly length: number;
  readonly skew: number;
  picture = true;
  allowed = true;
  starved = false;
  ended = false;
  /** Pictures of the screen that a seek takes. */
  seekFrames = 0;
  private left = 0;
  readonly begin: number;

  constructor(length: number, skew = 1, begin = 0) {
    this.length = length;
    this.skew = skew;
    this.begin = begin;
    this.at = begin;
  }

  position = () => this.at;
  duration = () => this.length;
  hasPicture = () => this.picture;
  isSeeking = () => this.seeking;
  isPaused = () => this.paused;
  isEnded = () => this.ended;
  isStarved = () => this.starved;
  seek = (s: number) => {
    this.at = Math.max(this.begin, s);
    this.ended = false;
    this.seeks.push(s);
    if (this.seekFrames === 0) return;
    this.seeking = true;
    this.left = this.seekFrames;
  };
  setRate = (rate: number) => {
    this.rate = rate;
  };
  play = () => {
    if (!this.allowed) return Promise.reject(new DOMException('no', 'NotAllowedError'));
    this.paused = false;
    return Promise.resolve();
  };
  pause = () => {
    this.paused = true;
  };
  run(s: number): void {
    if (this.left > 0) {
      this.left -= 1;
      if (this.left === 0) this.seeking = false;
      return;
    }
    if (this.starved || this.seeking) return;
    if (this.at >= this.length) this.ended = true;
    if (!this.paused) this.at = Math.min(this.length, this.at + s * this.rate * this.skew);
  }
}

/** So many pictures a second, from a moment to another. */
export function steadyFrames(from: number, to: number, perSecond: number): FrameTimes {
  const times = Float64Array.from(
    { length: Math.round((to - from) * perSecond) },
    (_, index) => from + index / perSecond,
  );
  return { times, endS: to };
}
