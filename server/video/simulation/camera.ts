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

/** Nearer than this nothing is drawn, metres. */
const NEAR_M = 0.4;

export type Camera = ReturnType<typeof createCamera>;

/**
 * @param size of what the camera fills, pixels
 * @param bend of the road, 1/m: a point at distance z is shifted by half of bend × z² to the right
 */
export function createCamera(mount: CameraMount, size: { width: number; height: number }, bend: number) {
  const focalPx = size.width / 2 / Math.tan((mount.fieldDeg / 360) * Math.PI);
  const horizonY = size.height * mount.horizon;
  const yaw = (mount.yawDeg / 180) * Math.PI;
  const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)];
  const side = mount.mirrored ? -1 : 1;

  /** Sideways and forward of the camera. */
  function place(x: number, z: number): [across: number, depth: number] {
    const dx = x + (bend / 2) * z * z - mount.xM;
    const dz = z - mount.zM;
    return [dx * cos - dz * sin, dx * sin + dz * cos];
  }

  /**
   * A polygon of the world in the picture, x, y, x, y, … in pixels; fewer than three corners when it is not before the
   * camera.
   * @param corners x, height, z, x, height, z, … in metres along the bending road, z from `aheadM` before the vehicle
   */
  function project(corners: readonly number[], aheadM = 0): number[] {
    const flat: number[] = [];
    let before: number[] | undefined;
    const put = ([across = 0, up = 0, depth = 1]: number[]) => {
      const scale = focalPx / depth;
      flat.push(size.width / 2 + side * across * scale, horizonY + (mount.heightM - up) * scale);
    };
    // Cut at the near plane, after Sutherland and Hodgman; the first corner comes again to close the outline.
    for (let i = 0; i <= corners.length; i += 3) {
      const at = i % corners.length;
      const [across, depth] = place(corners[at] ?? 0, aheadM + (corners[at + 2] ?? 0));
      const corner = [across, corners[at + 1] ?? 0, depth];
      const depthBefore = before?.[2] ?? depth;
      if (before !== undefined && depthBefore >= NEAR_M !== depth >= NEAR_M) {
        const fraction = (NEAR_M - depthBefore) / (depth - depthBefore);
        put(before.map((from, axis) => from + ((corner[axis] ?? 0) - from) * fraction));
      }
      if (depth >= NEAR_M && i < corners.length) put(corner);
      before = corner;
    }
    return flat;
  }

  return {
    ...{ mount, ...size, horizonY, project },
    /** Pixels per degree in the middle of the picture. */
    pxPerDeg: (focalPx * Math.PI) / 180,
    /** How far a spot on the road is before the camera, metres; negative behind it. */
    depthOf: (x: number, z: number): number => place(x, z)[1],
    /** Direction of a column of the picture, degrees clockwise from forward. */
    bearingOf: (column: number): number =>
      mount.yawDeg + (Math.atan(((column - size.width / 2) * side) / focalPx) / Math.PI) * 180,
    /** Column of a direction; null when it is far aside or behind. */
    columnOf(bearingDeg: number): number | null {
      const off = ((((bearingDeg - mount.yawDeg) % 360) + 540) % 360) - 180;
      return Math.abs(off) > 80 ? null : size.width / 2 + side * focalPx * Math.tan((off / 180) * Math.PI);
    },
    /** Row of a height over the horizon. */
    rowOf: (heightDeg: number): number => horizonY - focalPx * Math.tan((heightDeg / 180) * Math.PI),
  };
}
