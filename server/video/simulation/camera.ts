import { fillPolygon } from './polygon.ts';
import type { Picture, Tint } from './picture.ts';

/** A camera on the vehicle. Metres from the middle of its front axle on the road; forward is z, right is x. */
export interface CameraMount {
  xM: number;
  heightM: number;
  zM: number;
  /** Where it looks, degrees clockwise from forward. */
  yawDeg: number;
  /** Horizontal field of view, degrees. */
  fieldDeg: number;
  /** Height of the horizon in the picture, share from the top. */
  horizon: number;
  /** Shown as a mirror would show it. */
  mirrored: boolean;
}

export interface Camera {
  mount: CameraMount;
  picture: Picture;
  /** Size of the part above the caption strip, pixels. */
  width: number;
  height: number;
  horizonY: number;
  /** Pixels per metre at 1 m; also pixels per unit of tangent. */
  focalPx: number;
  /**
   * Fills a polygon that lies in the world.
   * @param corners x, height, z, x, height, z, … in metres along the bending road
   */
  fill: (corners: readonly number[], colour: Tint) => void;
  /** How far a spot on the road is before the camera, metres; negative behind it. */
  depthOf: (x: number, z: number) => number;
  /** Column in the picture of a direction, degrees clockwise from forward; null when behind. */
  columnOf: (bearingDeg: number) => number | null;
}

/** Nearer than this nothing is drawn, metres. */
const NEAR_M = 0.4;

/** @param bend of the road, 1/m: a point at distance z is shifted by half of bend × z² to the right */
export function createCamera(
  mount: CameraMount,
  picture: Picture,
  size: { width: number; height: number },
  bend: number,
): Camera {
  const focalPx = size.width / 2 / Math.tan((mount.fieldDeg / 360) * Math.PI);
  const horizonY = size.height * mount.horizon;
  const yaw = (mount.yawDeg / 180) * Math.PI;
  const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)];
  const side = mount.mirrored ? -1 : 1;

  /** Sideways and forward of the camera. */
  function place(x: number, z: number): [number, number] {
    const dx = x + (bend / 2) * z * z - mount.xM;
    const dz = z - mount.zM;
    return [dx * cos - dz * sin, dx * sin + dz * cos];
  }

  function fill(corners: readonly number[], colour: Tint): void {
    const seen: number[] = [];
    for (let i = 0; i + 2 < corners.length; i += 3) {
      const [across, depth] = place(corners[i] ?? 0, corners[i + 2] ?? 0);
      seen.push(across, corners[i + 1] ?? 0, depth);
    }
    const flat: number[] = [];
    const clipped = clipNear(seen);
    for (let i = 0; i + 2 < clipped.length; i += 3) {
      const scale = focalPx / (clipped[i + 2] ?? 1);
      flat.push(size.width / 2 + side * (clipped[i] ?? 0) * scale);
      flat.push(horizonY + (mount.heightM - (clipped[i + 1] ?? 0)) * scale);
    }
    if (flat.length >= 6) fillPolygon(picture, flat, colour);
  }

  return {
    mount,
    picture,
    ...size,
    horizonY,
    focalPx,
    fill,
    depthOf: (x, z) => place(x, z)[1],
    columnOf(bearingDeg) {
      const off = ((((bearingDeg - mount.yawDeg) % 360) + 540) % 360) - 180;
      if (Math.abs(off) > 80) return null;
      return size.width / 2 + side * focalPx * Math.tan((off / 180) * Math.PI);
    },
  };
}

/** Cuts a polygon (across, height, depth, …) at the near plane, after Sutherland and Hodgman. */
function clipNear(corners: readonly number[]): number[] {
  const kept: number[] = [];
  const count = corners.length / 3;
  for (let i = 0; i < count; i++) {
    const [a, b] = [i * 3, ((i + 1) % count) * 3];
    const [depthA, depthB] = [corners[a + 2] ?? 0, corners[b + 2] ?? 0];
    if (depthA >= NEAR_M) kept.push(corners[a] ?? 0, corners[a + 1] ?? 0, depthA);
    if (depthA >= NEAR_M === depthB >= NEAR_M) continue;
    const fraction = (NEAR_M - depthA) / (depthB - depthA);
    for (let k = 0; k < 3; k++) {
      const [from, to] = [corners[a + k] ?? 0, corners[b + k] ?? 0];
      kept.push(from + (to - from) * fraction);
    }
  }
  return kept;
}
