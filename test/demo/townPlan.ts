import { path, type PlanePoint } from './planeGeometry.ts';

/**
 * Alderbridge, laid out by hand in metres east and north of its centre: what gives the town its face.
 * Streets, names and drivers grow on it by seed.
 */
export interface PlannedRoad {
  name: string;
  through: PlanePoint[];
  limitKmh: number;
  /** Beyond the ring the road is a motorway of this number and name. */
  beyondRing?: { ref: string; name: string };
}

export const TOWN_NAME = 'Alderbridge';
export const RING_NAME = 'Ring road';
export const RING_REF = 'R1';
export const RING_LIMIT_KMH = 60;
export const MOTORWAY_LIMIT_KMH = 80;
export const STREET_LIMIT_KMH = 30;
const YARD_LIMIT_KMH = 15;
export const SCHOOL_RADIUS_M = 170;
export const RING_FENCE_WIDTH_M = 90;

export const RING = path(
  '1950,0 1780,800 1250,1400 450,1690 -450,1640 -1250,1330 -1800,700 -1960,-50 -1720,-800 -1150,-1380 -350,-1690 500,-1650 1200,-1320 1720,-780',
);

export const RIVER_NAME = 'River Alder';
export const RIVER = path(
  '-1750,3300 -1500,2750 -1340,2200 -1330,1700 -1130,1180 -760,760 -520,400 -300,40 -40,-360 350,-600 780,-790 1130,-1110 1450,-1440 1820,-1690 2400,-1960 3200,-2260 3900,-2420',
);
export const RIVER_HALF_WIDTH_M = [42, 42, 44, 46, 48, 46, 44, 48, 52, 55, 60, 68, 80, 115, 170, 220, 240];

/** A point of the harbour by its distance down the quay and inland from the river's bank. */
export function harbourPoint(along: number, inland: number): PlanePoint {
  return { x: 2059 + along * 0.906 + inland * 0.423, y: -1643 - along * 0.423 + inland * 0.906 };
}

const harbourPath = (text: string): PlanePoint[] => path(text).map(({ x, y }) => harbourPoint(x, y));

export const HARBOUR_NAME = 'Alder Dock';
export const HARBOUR_BASIN = harbourPath('-150,170 -150,285 650,285 665,-70 545,-70 535,170');
export const QUAY_FENCE = harbourPath('-330,20 -250,-35 560,-35 600,20 600,300 540,345 -250,345 -330,280');
export const DEPOT_FENCE = path('-790,1960 -690,2105 -420,2105 -320,1960 -420,1815 -690,1815');
export const OLD_TOWN_FENCE = path('0,890 70,960 460,880 660,640 670,340 590,170 430,100 130,110 30,360');

export const ROADS: PlannedRoad[] = [
  {
    name: 'Mill Road',
    limitKmh: 50,
    through: path('-3500,-420 -2700,-330 -1960,-130 -1300,-60 -700,-180 -350,-120 100,60'),
    beyondRing: { ref: 'A4', name: 'A4 west' },
  },
  {
    name: 'Market Street',
    limitKmh: 50,
    through: path('100,60 450,60 900,250 1400,260 1930,330 2500,520 3500,900'),
    beyondRing: { ref: 'A4', name: 'A4 east' },
  },
  {
    name: 'Northgate Road',
    limitKmh: 50,
    through: path('330,3050 260,2300 180,1690 120,1250 60,1000'),
    beyondRing: { ref: 'A12', name: 'A12' },
  },
  {
    name: 'Bridge Street',
    limitKmh: 50,
    through: path('60,1000 -70,700 -20,350 100,60 130,-300 30,-750'),
  },
  {
    name: 'Southgate Road',
    limitKmh: 50,
    through: path('30,-750 60,-1200 130,-1690 220,-2200 300,-2900'),
  },
  {
    name: 'Saltmarsh Road',
    limitKmh: 50,
    through: path('-3300,-2500 -2400,-1750 -1500,-1130 -1000,-800 -600,-480 -350,-120'),
    beyondRing: { ref: 'A7', name: 'A7' },
  },
  {
    name: 'Birch Hill Road',
    limitKmh: 50,
    through: path('-3300,1250 -2600,1150 -1850,720 -1300,450 -870,150 -700,-180'),
  },
  {
    name: 'Harbour Road',
    limitKmh: 50,
    through: path('450,60 850,-230 1300,-560 1690,-830 2000,-1030 2600,-1220 3300,-1330 3550,-1350'),
  },
  {
    name: 'Fairfield Road',
    limitKmh: 50,
    through: path('60,1000 500,920 1000,1000 1480,1180 2000,1450 2600,1850 3200,2200'),
  },
  {
    name: 'Castle Street',
    limitKmh: 40,
    through: path('500,920 720,660 730,360 620,130'),
  },
  {
    name: 'Millbank Road',
    limitKmh: 50,
    through: path(
      '-1880,-450 -1450,-400 -950,-480 -600,-480 -280,-690 30,-750 480,-1010 830,-1240 960,-1460',
    ),
  },
  {
    name: 'Riverside Drive',
    limitKmh: 50,
    through: path('-930,1470 -620,1180 -300,1020 60,1000'),
  },
  {
    name: 'Easton Way',
    limitKmh: 50,
    through: path('2000,1450 2350,950 2460,500 2420,-100 2310,-600 2150,-1080'),
  },
  {
    name: 'Westfield Road',
    limitKmh: 50,
    through: path('-2600,1150 -2500,400 -2640,-320 -2500,-1000 -2400,-1750'),
  },
  {
    name: 'Southbank Road',
    limitKmh: 50,
    through: path('-2400,-1750 -1600,-2050 -700,-2150 220,-2200 1000,-2180 1750,-2360'),
  },
  {
    name: 'Kiln Lane',
    limitKmh: 50,
    through: path('-2600,1150 -2050,1800 -1300,2180 -600,2230 260,2300 1200,2150 1850,1800 2000,1450'),
  },
  {
    name: 'Tanner Road',
    limitKmh: 40,
    through: path('-1000,-800 -680,-1200 -400,-1680'),
  },
  {
    name: 'Cornmarket',
    limitKmh: 40,
    through: path('900,250 1080,-120 1300,-560'),
  },
  {
    name: 'Quay approach',
    limitKmh: 50,
    through: [{ x: 1990, y: -1030 }, harbourPoint(-265, 360), harbourPoint(-265, 80)],
  },
  { name: 'Dock Street', limitKmh: 40, through: harbourPath('-265,360 200,372 700,375 850,470 930,790') },
];

/** Roads of the depot's yard and of the quays, driven at walking pace and bare of street blocks. */
export const YARD_ROADS: PlannedRoad[] = [
  yard('Depot gate', path('-545,2232 -555,2060')),
  yard('Depot yard', path('-690,2060 -420,2060 -420,1860 -690,1860 -690,2060')),
  yard('Depot yard', path('-690,2010 -420,2010')),
  yard('Depot yard', path('-690,1960 -420,1960')),
  yard('Depot yard', path('-690,1910 -420,1910')),
  ...['-622', '-555', '-488'].map((x) => yard('Depot yard', path(`${x},2060 ${x},1860`))),
  yard('Quay 4', harbourPath('-265,80 -200,55 500,55 500,130 -200,130 -265,80')),
  yard('Quay 4', harbourPath('150,55 150,130')),
];

function yard(name: string, through: PlanePoint[]): PlannedRoad {
  return { name, limitKmh: YARD_LIMIT_KMH, through };
}

export const RAILWAYS: { name: string; through: PlanePoint[] }[] = [
  {
    name: 'Alder Valley line',
    through: path(
      '-3500,-900 -2200,-720 -1200,-650 -500,-600 100,-480 600,-410 1100,-300 1600,-220 2300,-170 3500,-430',
    ),
  },
  {
    name: 'Dock branch',
    through: [
      ...path('1300,-265 1750,-330 2080,-620 2110,-900'),
      harbourPoint(-120, 400),
      harbourPoint(60, 325),
      harbourPoint(640, 325),
    ],
  },
];
