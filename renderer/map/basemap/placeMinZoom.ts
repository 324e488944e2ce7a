// Inhabitants from which a place is named, and the zoom that first names it. Tuned so that a map of 660 by 520 px
// offers some 40 names at any zoom over central Europe; those that collide are dropped by the map.
const BY_POPULATION: readonly (readonly [population: number, minZoom: number])[] = [
  [5_000_000, 2],
  [1_500_000, 3],
  [500_000, 4],
  [200_000, 5],
  [100_000, 6],
  [40_000, 7],
  [15_000, 8],
  [6_000, 9],
  [2_500, 10],
];

const SMALLEST_MIN_ZOOM = 11;

/** A capital is named from here on, however small. */
const CAPITAL_MIN_ZOOM = 4;

/**
 * The zoom from which a place is named; null for places that are gone.
 * Codes: GeoNames feature codes (geonames.org/export/codes.html), class P.
 */
export function placeMinZoom(population: number, featureCode: string): number | null {
  if (featureCode === 'PPLH' || featureCode === 'PPLQ' || featureCode === 'PPLW') return null;
  // A section of a place is no town, whatever its size.
  if (featureCode === 'PPLX') return SMALLEST_MIN_ZOOM;
  const byPopulation = BY_POPULATION.find(([min]) => population >= min)?.[1] ?? SMALLEST_MIN_ZOOM;
  return featureCode === 'PPLC' ? Math.min(CAPITAL_MIN_ZOOM, byPopulation) : byPopulation;
}
