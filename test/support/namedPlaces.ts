import type { LatLon } from '../../server/contract/coordinates.ts';
import type { Place } from '../../server/contract/places.ts';
import type { PlacesWithin } from '../../server/places/boundedPlaces.ts';

export const placeCalled = (text: string): Place => ({
  ...{ text, house_number: null, street: text, district: null, town: null, distance_m: 0 },
});

/** Names each point by a list of the test's own, at once; without one, none. */
export const placesBy =
  (nameOf: (point: LatLon) => string | null = () => null): PlacesWithin =>
  () =>
  (points) =>
    Promise.resolve(
      points.map((point) => {
        const text = point === null ? null : nameOf(point);
        return text === null ? null : placeCalled(text);
      }),
    );
