import { partSeed, seededRandom } from './seededRandom.ts';

export interface StreetNames {
  /** A name not given before. */
  next(): string;
}

const STEMS =
  'Abbey Acorn Alder Anchor Apple Ash Badger Baker Barley Bell Birch Bishop Blossom Bramble Brewer Brick Brook Canal ' +
  'Candle Carter Cedar Chapel Cherry Clay Clover Coach Cooper Copper Crane Cross Dairy Dove Elder Elm Fallow Fern Ferry ' +
  'Field Finch Fisher Flint Forge Fountain Fox Garden Garnet Glover Goose Grange Gravel Hare Hawthorn Hazel Heather ' +
  'Heron Hollow Holly Hop Ivy Jasper Juniper Kestrel Kiln King Lantern Larch Lark Laurel Lime Linden Lock Magpie Malt ' +
  'Maple Mason Meadow Mercer Mint Monk Moss Nettle Nightingale North Oak Orchard Otter Park Pear Pine Plover Poplar ' +
  'Potter Priory Quarry Quince Raven Reed Robin Rope Rose Rowan Rush Sadler Saffron Sandy Shepherd Silver Sloe Smith ' +
  'South Sparrow Spring Station Stone Swan Tallow Tanner Thistle Thorn Tiler Tollgate Vine Walnut Water Weir Well Wharf ' +
  'Wheat Willow Wren Yew';
const ENDINGS = ['Street', 'Lane', 'Road', 'Close', 'Way', 'Row', 'Walk', 'Avenue'];

export function streetNames(seed: number): StreetNames {
  const random = seededRandom(partSeed(seed, 'street names'));
  const stems = STEMS.split(' ');
  // All stems once before any comes back, so that neighbours seldom share one.
  const names = ENDINGS.flatMap((_, round) =>
    random.shuffled(
      stems.map((stem, index) => `${stem} ${ENDINGS[(index + round) % ENDINGS.length] ?? 'Street'}`),
    ),
  );
  let given = 0;
  return {
    next: () => {
      const name = names[given % names.length] ?? 'High Street';
      const around = Math.floor(given / names.length);
      given += 1;
      return around === 0
        ? name
        : `${['Upper', 'Lower', 'Little', 'New'][(around - 1) % 4] ?? 'Old'} ${name}`;
    },
  };
}
