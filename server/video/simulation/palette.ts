import { mix, tint } from './picture.ts';
import type { Tint } from './picture.ts';

/** By day, at night: the calm greys and greens of the console's own pictures. */
const COLOURS = {
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

export type ColourName = keyof typeof COLOURS;
export type Palette = (name: ColourName) => Tint;

/** @param light 0 at night, 1 by day; the tints between are mixed */
export function createPalette(light: number): Palette {
  const mixed = new Map<string, Tint>();
  for (const [name, [day, night]] of Object.entries(COLOURS))
    mixed.set(name, mix(tint(night), tint(day), light));
  return (name) => mixed.get(name) ?? BLACK;
}

const BLACK = tint('#000000');
