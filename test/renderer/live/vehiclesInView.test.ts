import { describe, expect, it } from 'vitest';
import { vehiclesInView } from '../../../renderer/live/feedMap.ts';
import { withPosition } from '../../../renderer/telemetry/positionStore.ts';
import { samplePosition } from '../samples.ts';

describe('the vehicles in view', () => {
  const positions = new Map(
    (
      [
        ['middle', 0, 0],
        ['edge', 0, 44],
        ['outside', 0, 50],
        ['far side', 0, 179],
      ] as const
    ).map(([id, lat, lon]) => [id, withPosition(undefined, samplePosition({ lat, lon }), 3)]),
  );

  it('the vehicles in view are those inside the window of the map', () => {
    // At zoom 2 the world is 2048 px wide: 512 px are 90 degrees.
    expect([...vehiclesInView(positions, { lat: 0, lon: 0, zoom: 2 }, 512, 512)]).toEqual(['middle', 'edge']);
  });

  it('the vehicles in view are found over the antimeridian', () => {
    expect([...vehiclesInView(positions, { lat: 0, lon: -179, zoom: 2 }, 512, 512)]).toEqual(['far side']);
  });
});
