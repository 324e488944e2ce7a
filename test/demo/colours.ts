/** By day, at night: the calm greys and greens of the console's own pictures. */
const PLAIN = {
  sky: ['#A6AFB2', '#10171C'],
  haze: ['#B4BCBE', '#18222A'],
  farHills: ['#8C9796', '#121B20'],
  hills: ['#7A8685', '#0F171B'],
  town: ['#69747A', '#141D22'],
  townWindow: ['#5B666B', '#8E8560'],
  trees: ['#5A665A', '#0D1413'],
  treesNear: ['#4B584C', '#0F1815'],
  trunk: ['#45403B', '#0C1010'],
  ground: ['#8A9588', '#10181A'],
  verge: ['#7C8878', '#0E1616'],
  road: ['#4B5256', '#1A2024'],
  roadLit: ['#4B5256', '#343B3F'],
  otherRoad: ['#535A5E', '#161C20'],
  line: ['#D5DADB', '#7C868A'],
  rail: ['#778287', '#2A3338'],
  railPost: ['#646F74', '#20282C'],
  post: ['#E2E6E6', '#8C9598'],
  steel: ['#3A4247', '#12181B'],
  board: ['#4F6A7A', '#2C424F'],
  boardText: ['#EDF1F2', '#C6CED1'],
  shadow: ['#363C40', '#0D1114'],
  car0: ['#2B3135', '#0E1214'],
  car1: ['#C9CFD0', '#3C4347'],
  car2: ['#7E8C92', '#232B2F'],
  car3: ['#62705F', '#1B2320'],
  car4: ['#8B7F73', '#26231F'],
  glass: ['#6E828C', '#0A0F12'],
  tyre: ['#1C2124', '#080B0D'],
  plate: ['#DADEDE', '#585F62'],
  tail: ['#8E4F4A', '#C4564C'],
  head: ['#DDE3E2', '#F3F1DC'],
  ownBody: ['#DDE1E1', '#3A4247'],
  ownBodyLow: ['#B5BCBE', '#2B3236'],
  bonnet: ['#1E2427', '#080B0D'],
  // By night the camera's own infra-red lamp lights the cabin.
  cabin: ['#2A3034', '#161C20'],
  cabinLight: ['#3A4247', '#262E33'],
  seat: ['#394145', '#1F272B'],
  skin: ['#A7A09A', '#6E6C69'],
  jacket: ['#56616A', '#343D43'],
  vest: ['#A89A4E', '#77733F'],
  strap: ['#C9CFD0', '#7A8286'],
  wheel: ['#15191B', '#06080A'],
  wheelEdge: ['#343B3F', '#12171A'],
} as const;

const mixed = (
  one: keyof typeof PLAIN,
  other: keyof typeof PLAIN,
  share: number,
  nightShare = share,
): string[] =>
  [share, nightShare].map((part, index) => {
    const [from = 0, to = 0] = [one, other].map((name) =>
      Number.parseInt(PLAIN[name][index]?.slice(1) ?? '', 16),
    );
    const channels = [16, 8, 0].map((shift) => {
      const [a, b] = [(from >> shift) & 255, (to >> shift) & 255];
      return Math.round(a + (b - a) * part)
        .toString(16)
        .padStart(2, '0');
    });
    return `#${channels.join('')}`;
  });

/** Each colour by day and at night. */
export const COLOURS: Record<string, readonly string[]> = {
  ...PLAIN,
  car0Side: mixed('car0', 'shadow', 0.45),
  car1Side: mixed('car1', 'shadow', 0.45),
  car2Side: mixed('car2', 'shadow', 0.45),
  car3Side: mixed('car3', 'shadow', 0.45),
  car4Side: mixed('car4', 'shadow', 0.45),
  ownBodyEdge: mixed('ownBody', 'shadow', 0.18),
  rearWindow: mixed('glass', 'sky', 0.25, 0),
  neck: mixed('skin', 'cabin', 0.3),
  sleeve: mixed('jacket', 'cabin', 0.4),
};
