import type { Camera } from './camera.ts';
import { chance } from './chance.ts';
import type { Journey, Moment } from './journey.ts';
import type { ColourName, Palette } from './palette.ts';
import { LANE_M } from './roadway.ts';
import type { Standing } from './roadway.ts';
import { drawCar } from './car.ts';
import type { Car } from './car.ts';

const SEEN_M = 180;
const PAINTS: readonly ColourName[] = ['car0', 'car1', 'car2', 'car3', 'car4'];

/** A lane whose cars keep their distances and pass with it, like beads on a string. */
const LANES = [
  { xM: -LANE_M, gapM: 60, fasterMs: 5, heading: 1, fill: 0.6 },
  { xM: LANE_M, gapM: 55, fasterMs: -4, heading: 1, fill: 0.5 },
  { xM: -12.6, gapM: 50, fasterMs: 4, heading: -1, fill: 0.55 },
  { xM: -16.8, gapM: 90, fasterMs: -2, heading: -1, fill: 0.6 },
] as const;

/** Other cars around the vehicle at an instant; the same for every channel. */
export function carsAround(journey: Journey, moment: Moment, fromMs: number, seed: number): Car[] {
  const cars: Car[] = [];
  const elapsedS = (moment.atMs - fromMs) / 1000;
  LANES.forEach((lane, laneIndex) => {
    const speed = Math.max(3, journey.meanSpeedMs + lane.fasterMs) * lane.heading;
    const string = moment.roadM - speed * elapsedS;
    const last = Math.floor((string + SEEN_M) / lane.gapM);
    for (let bead = Math.ceil((string - SEEN_M) / lane.gapM) - 1; bead <= last; bead++) {
      const aspect = laneIndex * 4;
      if (chance(seed, bead, aspect) > lane.fill) continue;
      const zM = (bead + 0.5 * chance(seed, bead, aspect + 1)) * lane.gapM - string;
      cars.push({ xM: lane.xM, zM, heading: lane.heading, ...looks(seed, bead, aspect) });
    }
  });
  cars.push(...carsInOwnLane(moment, elapsedS, seed));
  return cars;
}

/** One ahead and one behind that keep their distance to us, and drive on when we slow down. */
function carsInOwnLane(moment: Moment, elapsedS: number, seed: number): Car[] {
  const drivesOnM = Math.max(0, 7 - moment.speedMs) * 30;
  const sway = 3 * Math.sin(elapsedS / 6 + chance(seed, 0, 40) * 6);
  const ahead = 11 + 0.6 * moment.speedMs + sway + drivesOnM;
  const behind = -(17 + 0.6 * moment.speedMs - sway + drivesOnM);
  return [
    { xM: 0.2, zM: ahead, heading: 1, ...looks(seed, 1, 41), isVan: false },
    { xM: -0.1, zM: behind, heading: 1, ...looks(seed, 2, 41) },
  ];
}

function looks(seed: number, bead: number, aspect: number): Pick<Car, 'paint' | 'isVan'> {
  const paint = PAINTS[Math.floor(chance(seed, bead, aspect + 2) * PAINTS.length)] ?? 'car0';
  return { paint, isVan: chance(seed, bead, aspect + 3) < 0.25 };
}

/** The cars as things to be drawn from far to near. */
export function traffic(camera: Camera, palette: Palette, cars: readonly Car[], light: number): Standing[] {
  return cars.map((car) => ({
    depthM: camera.depthOf(car.xM, car.zM),
    draw: () => drawCar(camera, palette, car, light),
  }));
}
