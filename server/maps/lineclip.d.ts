declare module 'lineclip' {
  type Point = [x: number, y: number];
  type Box = [minX: number, minY: number, maxX: number, maxY: number];
  export function clipPolyline(points: Point[], box: Box): Point[][];
  export function clipPolygon(points: Point[], box: Box): Point[];
}
