import Flatbush from 'flatbush';
import { boxAlong, type Box, type Place } from './geodesy.ts';

/** The sides of one shape, by where they lie. */
export interface SideIndex<Side> {
  /** At least all sides whose box is at most `metres` away from the straight way from `a` to `b`, each once. */
  near(a: Place, b: Place, metres: number): readonly Side[];
}

/** Fewer sides than this are looked at one by one: a tree of them would be a single node. */
const fewSides = 16;

/** A whole turn to either side: what is seen over the antimeridian is found as well. */
const turns = [-360, 0, 360] as const;

export function createSideIndex<Side>(sides: readonly Side[], boxOf: (side: Side) => Box): SideIndex<Side> {
  if (sides.length < fewSides) return { near: () => sides };
  const tree = new Flatbush(sides.length);
  for (const side of sides) tree.add(...boxOf(side));
  tree.finish();
  return {
    near(a, b, metres) {
      const [west, south, east, north] = boxAlong(a, b, metres);
      const found = new Set<number>();
      for (const turn of turns) {
        for (const at of tree.search(west + turn, south, east + turn, north)) found.add(at);
      }
      return [...found].flatMap((at) => sides[at] ?? []);
    },
  };
}
