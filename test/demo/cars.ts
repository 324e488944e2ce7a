import type { Part } from './cameraData.ts';

type Outline = readonly (readonly [across: number, up: number])[];

export const PAINTS = ['car0', 'car1', 'car2', 'car3', 'car4'];
/** About one in four is a van. */
export const VAN_PAINTS = ['car1', 'car2'];

const CAR = {
  /** Half of the width, metres. */
  half: 0.9,
  longM: 4.2,
  topM: 0.85,
  outline: [...box(0.9, 0.3, 0.85), [0.9, 0.85], [0.66, 1.46], [-0.66, 1.46], [-0.9, 0.85]] as Outline,
  window: [
    [-0.72, 0.9],
    [-0.56, 1.36],
    [0.56, 1.36],
    [0.72, 0.9],
  ] as Outline,
  lampM: 0.72,
};
const VAN = {
  ...{ half: 1, longM: 5.4, topM: 2.4, lampM: 0.8 },
  outline: box(1, 0.35, 2.4),
  window: box(0.86, 1.35, 2.1),
};
/** Paint fades into the haze. */
const HAZE = { far: 'haze', farM: 500 };

/**
 * A car as its shadow, the named sides and the face that is seen from behind or from before; heads or tails by the way
 * it goes. Its hindmost point lies at z = 0.
 */
export function carParts(
  x: number,
  heading: 1 | -1,
  paint: string,
  isVan: boolean,
  sides: readonly ('left' | 'right')[],
): Part[] {
  const build = isVan ? VAN : CAR;
  const { half, longM } = build;
  const wide = half + 0.1;
  return [
    { colour: 'shadow', corners: [x - wide, 0, 0, x + wide, 0, 0, x + wide, 0, longM, x - wide, 0, longM] },
    ...sides.flatMap(sideParts),
    ...face(0, heading === 1 ? 'tail' : 'head').map((part): Part => ({ ...part, seenM: [0, 1000] })),
    ...face(longM, heading === 1 ? 'head' : 'tail').map((part): Part => ({
      ...part,
      seenM: [-1000, -longM],
    })),
  ];

  function sideParts(side: 'left' | 'right'): Part[] {
    const sign = side === 'right' ? 1 : -1;
    const at = x + sign * half;
    const inner = at - sign * 0.24;
    const glass = [at, 0.85, 0, inner, 1.46, 0.15 * longM, inner, 1.46, 0.62 * longM, at, 0.85, 0.8 * longM];
    return [
      {
        ...{ colour: `${paint}Side`, ...HAZE },
        corners: [at, 0.3, 0, at, build.topM, 0, at, build.topM, longM, at, 0.3, longM],
      },
      ...(isVan ? [] : [{ colour: 'glass', corners: glass }]),
      ...[0.18, 0.8].map((share): Part => {
        const [from, to] = [(share - 0.08) * longM, (share + 0.08) * longM];
        return { colour: 'tyre', corners: [at, 0, from, at, 0.55, from, at, 0.55, to, at, 0, to] };
      }),
    ];
  }

  function face(z: number, lamp: 'head' | 'tail'): Part[] {
    const flat = (outline: Outline): number[] => outline.flatMap(([across, up]) => [x + across, up, z]);
    const patch = (colour: string, x0: number, x1: number, y0: number, y1: number): Part => ({
      colour,
      corners: flat([
        [x0, y0],
        [x1, y0],
        [x1, y1],
        [x0, y1],
      ]),
    });
    const tall = lamp === 'head' ? 0.21 : 0.16;
    const both = [-1, 1];
    return [
      ...both.map((side) => patch('tyre', side * (half - 0.3), side * (half - 0.02), 0, 0.4)),
      { colour: paint, corners: flat(build.outline), ...HAZE },
      { colour: 'glass', corners: flat(build.window) },
      ...both.map((side) =>
        patch(
          ...([lamp, side * (half - 0.34), side * (half - 0.06)] as const),
          ...([build.lampM - tall / 2, build.lampM + tall / 2] as const),
        ),
      ),
      patch('plate', -0.26, 0.26, 0.45, 0.57),
    ];
  }
}

function box(half: number, low: number, high: number): Outline {
  return [
    [-half, high],
    [-half, low],
    [half, low],
    [half, high],
  ];
}
