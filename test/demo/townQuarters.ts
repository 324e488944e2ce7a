import type { PlanePoint } from './planeGeometry.ts';
import type { PlaceKind, RoadClass } from './townModel.ts';
import { harbourPoint } from './townPlan.ts';

export interface PlannedDistrict {
  name: string;
  at: PlanePoint;
  /** Direction of its long streets, clockwise from north. */
  angleDeg: number;
  /** Distance between its long streets, and between the cross streets. */
  acrossM: [min: number, max: number];
  alongM: [min: number, max: number];
  /** How far streets swing from the straight. */
  bendM: number;
  /** Share of cross streets that are left out. */
  gaps: number;
  labelled: boolean;
}

export interface PlannedPark {
  name: string;
  at: PlanePoint;
  radiusM: [x: number, y: number];
}

export interface PlannedPlace {
  name: string;
  kind: PlaceKind;
  at: PlanePoint;
  /** The kind of road that it stands at, where it matters. */
  roadClass?: RoadClass;
}

export const PARKS: PlannedPark[] = [
  { name: 'Castle Park', at: { x: 540, y: 640 }, radiusM: [110, 150] },
  { name: 'Alder Meadows', at: { x: -860, y: 480 }, radiusM: [190, 120] },
  { name: 'Fairfield Common', at: { x: 1480, y: 470 }, radiusM: [150, 110] },
  { name: 'Birch Wood', at: { x: -2180, y: 1250 }, radiusM: [210, 150] },
  { name: 'Northgate Gardens', at: { x: 640, y: 1240 }, radiusM: [150, 120] },
  { name: 'Millbank Green', at: { x: -1180, y: -250 }, radiusM: [120, 90] },
  { name: 'South Common', at: { x: 430, y: -1330 }, radiusM: [190, 130] },
  { name: 'Saltmarsh Reserve', at: { x: -2130, y: -1260 }, radiusM: [190, 160] },
  { name: 'Hillside Wood', at: { x: 980, y: 1880 }, radiusM: [230, 120] },
  { name: 'Easton Park', at: { x: 2750, y: 1080 }, radiusM: [170, 190] },
  { name: 'Tanner Green', at: { x: -260, y: -1060 }, radiusM: [90, 110] },
  { name: 'Southbank Park', at: { x: -700, y: -1930 }, radiusM: [210, 90] },
  { name: 'Osier Beds', at: { x: 1250, y: -1900 }, radiusM: [260, 130] },
];

export const DISTRICTS: PlannedDistrict[] = [
  district('Old Town', [300, 430], 8, [58, 88], [70, 120], 26, 0.14),
  district('Riverside', [-380, 720], 34, [75, 110], [100, 170], 16, 0.16),
  district('Northgate', [820, 1420], 72, [80, 120], [110, 190], 18, 0.16),
  district('Northgate', [-250, 1330], 68, [80, 115], [110, 180], 14, 0.16, false),
  district('Fairfield', [1230, 700], 80, [85, 120], [110, 180], 12, 0.14),
  district('Weavers', [-1250, 850], 48, [70, 100], [110, 190], 22, 0.16),
  district('Birch End', [-1400, 190], 63, [80, 115], [100, 180], 14, 0.18),
  district('Millbank', [-1350, -230], 84, [80, 110], [110, 170], 10, 0.16),
  district('Millbank', [-700, -340], 84, [75, 105], [100, 160], 14, 0.16, false),
  district('Millbank', [-1450, -560], 79, [70, 100], [110, 180], 8, 0.2, false),
  district('Tannery', [-480, -1000], 22, [80, 115], [110, 170], 20, 0.18),
  district('Tannery', [-1050, -1130], 45, [80, 120], [110, 180], 12, 0.18, false),
  district('Southgate', [600, -1420], 66, [80, 115], [120, 180], 16, 0.18),
  district('Quayside', [560, -200], 58, [70, 105], [90, 160], 16, 0.16),
  district('Quayside', [800, -560], 56, [75, 110], [100, 170], 12, 0.16, false),
  district('Quayside', [1150, -840], 44, [80, 110], [120, 190], 10, 0.16, false),
  district('Eastgate', [1550, 50], 76, [80, 120], [110, 180], 14, 0.18),
  district('Eastgate', [1560, -460], 40, [90, 120], [120, 200], 8, 0.18, false),
  district('Eastgate', [850, 60], 66, [70, 100], [90, 150], 14, 0.14, false),
  district('Kilnfield', [-1000, 1850], 80, [90, 130], [130, 210], 12, 0.2),
  district('Hillside', [700, 1950], 78, [90, 130], [120, 200], 26, 0.18, false),
  district('Hillside', [800, 2420], 70, [90, 130], [130, 210], 30, 0.2),
  district('Kilnfield', [-450, 2450], 86, [90, 130], [130, 210], 20, 0.2, false),
  district('Hillside', [1600, 1500], 42, [90, 120], [120, 190], 18, 0.18, false),
  district('Westfield', [-1750, 1550], 36, [85, 125], [120, 200], 18, 0.2),
  district('Birch Hill', [-2250, 560], 18, [85, 120], [120, 190], 26, 0.18),
  district('Birch Hill', [-2850, 700], 12, [90, 130], [130, 210], 24, 0.22, false),
  district('Saltmarsh', [-2250, -900], 62, [90, 130], [120, 200], 20, 0.2),
  district('Saltmarsh', [-2250, -400], 80, [85, 115], [120, 190], 12, 0.18, false),
  district('Saltmarsh', [-2850, -650], 75, [95, 130], [130, 210], 18, 0.22, false),
  district('Saltmarsh', [-1500, -1600], 54, [90, 125], [120, 200], 16, 0.2, false),
  district('Southbank', [-350, -1980], 84, [85, 120], [120, 190], 14, 0.18),
  district('Southbank', [-600, -2420], 88, [95, 135], [130, 210], 22, 0.22, false),
  district('Southbank', [700, -1950], 78, [85, 120], [120, 190], 14, 0.18, false),
  district('Southbank', [800, -2450], 84, [95, 135], [130, 210], 20, 0.22, false),
  district('Easton', [2180, 850], 30, [85, 120], [110, 190], 18, 0.18),
  district('Easton', [2750, 1300], 38, [90, 130], [120, 200], 24, 0.2, false),
  district('Easton', [2200, 180], 82, [80, 115], [110, 180], 12, 0.18, false),
  district('Harbour East', [2170, -500], 68, [90, 120], [120, 200], 10, 0.18, false),
  district('Harbour East', [2750, -700], 74, [90, 130], [120, 210], 14, 0.2),
  { ...district('Docklands', [0, 0], 115, [90, 130], [130, 210], 8, 0.2), at: harbourPoint(330, 540) },
  district('Harbour East', [2750, 250], 64, [90, 130], [120, 210], 18, 0.2, false),
];

function district(
  name: string,
  [x, y]: [number, number],
  angleDeg: number,
  acrossM: [number, number],
  alongM: [number, number],
  bendM: number,
  gaps: number,
  labelled = true,
): PlannedDistrict {
  return { name, at: { x, y }, angleDeg, acrossM, alongM, bendM, gaps, labelled };
}

export const PLACES: PlannedPlace[] = [
  { name: 'Depot', kind: 'depot', at: { x: -555, y: 2060 }, roadClass: 'yard' },
  { name: 'Quay 4', kind: 'quay', at: harbourPoint(150, 55), roadClass: 'yard' },
  { name: 'Dock gate', kind: 'quay', at: harbourPoint(720, 375), roadClass: 'arterial' },
  { name: 'Fairfield school', kind: 'school', at: { x: 1200, y: 660 }, roadClass: 'street' },
  { name: 'Alder hospital', kind: 'hospital', at: { x: -420, y: -1380 } },
  { name: 'Castle Mall', kind: 'mall', at: { x: 690, y: 250 } },
  { name: 'Old Market', kind: 'mall', at: { x: 330, y: 430 } },
  { name: 'Westfield Centre', kind: 'mall', at: { x: -2480, y: 250 } },
  { name: 'Easton Park Mall', kind: 'mall', at: { x: 2400, y: 780 } },
  { name: 'Alderbridge station', kind: 'station', at: { x: 560, y: -300 } },
  { name: 'Southbank terminus', kind: 'terminus', at: { x: 700, y: -2190 }, roadClass: 'arterial' },
  { name: 'Hillside terminus', kind: 'terminus', at: { x: 1100, y: 2180 }, roadClass: 'arterial' },
  { name: 'Westfield terminus', kind: 'terminus', at: { x: -2150, y: 1700 }, roadClass: 'arterial' },
  { name: 'A4 west', kind: 'gateway', at: { x: -3500, y: -420 }, roadClass: 'motorway' },
  { name: 'A4 east', kind: 'gateway', at: { x: 3500, y: 900 }, roadClass: 'motorway' },
  { name: 'A7', kind: 'gateway', at: { x: -3300, y: -2500 }, roadClass: 'motorway' },
  { name: 'A12', kind: 'gateway', at: { x: 330, y: 3050 }, roadClass: 'motorway' },
];
