import type { CameraMount } from './camera.ts';

/** What a channel looks at. */
export type View = 'front' | 'cabin' | 'left' | 'right' | 'rear';

const WORDS: readonly (readonly [RegExp, View])[] = [
  [/front|road|ahead|forward/i, 'front'],
  [/cabin|driver|inside|interior/i, 'cabin'],
  [/left/i, 'left'],
  [/right/i, 'right'],
  [/rear|back|cargo|trailer/i, 'rear'],
];

/** Channels without a descriptive name, in the order in which cameras are usually wired. */
const BY_NUMBER: readonly View[] = ['front', 'cabin', 'left', 'rear', 'right'];

export function viewOf({ channel, name }: { channel: number; name: string }): View {
  const named = WORDS.find(([word]) => word.test(name));
  return named?.[1] ?? BY_NUMBER[(Math.max(1, Math.floor(channel)) - 1) % BY_NUMBER.length] ?? 'front';
}

/** Cameras of a van that is 2 m wide and 6 m long. The ones at its sides look back, as mirrors do. */
export const MOUNTS: Readonly<Record<Exclude<View, 'cabin'>, CameraMount>> = {
  front: { xM: 0, heightM: 2.1, zM: 0.6, yawDeg: 0, fieldDeg: 68, horizon: 0.47, mirrored: false },
  rear: { xM: 0, heightM: 2.5, zM: -5, yawDeg: 180, fieldDeg: 84, horizon: 0.42, mirrored: false },
  left: { xM: -1.55, heightM: 2, zM: 0.8, yawDeg: 190, fieldDeg: 76, horizon: 0.42, mirrored: true },
  right: { xM: 1.55, heightM: 2, zM: 0.8, yawDeg: 170, fieldDeg: 76, horizon: 0.42, mirrored: true },
};
