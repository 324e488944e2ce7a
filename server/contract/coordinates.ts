/**
 * Coordinates as people write them: in decimal degrees, in degrees with minutes and seconds, as Plus Codes
 * (github.com/google/open-location-code), as `geo:` URI (RFC 5870), and in the links of maps. Understood by the search;
 * copied from the map.
 */
export interface LatLon {
  lat: number;
  lon: number;
}

/**
 * What a text says of a place; null when it is no coordinates.
 *
 * @param near completes a short Plus Code, which leaves out the part that everybody round there has in common
 */
export function parseCoordinates(text: string, near: LatLon | null = null): LatLon | null {
  const plain = text.trim();
  if (isLink.test(plain)) return plain.length > 2_000 ? null : parseLink(plain);
  if (plain === '' || plain.length > 80) return null;
  return parsePlusCode(plain, near) ?? parseDegrees(plain);
}

/** Browsers copy the address without its scheme, too. */
const isLink = /^(?:geo:|https?:|(?:[\w-]+\.)+[a-z]{2,}[/?#])/i;
const decimal = String.raw`(-?\d{1,3}(?:\.\d+)?)`;
const comma = '(?:,|%2C)(?:\\+|%20)?';
/** Where links have a place, the mark of the place itself before the middle of what is shown. */
const inLinks = [
  new RegExp(String.raw`!3d${decimal}!4d${decimal}`),
  new RegExp(
    String.raw`[?&](?:q|query|ll|destination|daddr|center|coordinate|point|to)=(?:loc:|ll\.)?${decimal}${comma}${decimal}`,
    'i',
  ),
  // Of Android's applications `geo:0,0?q=`, so behind it.
  new RegExp(`^geo:${decimal},${decimal}(?=[,;?]|$)`, 'i'),
  new RegExp(`[?&]m?lat=${decimal}&m?(?:lon|lng)=${decimal}`),
  new RegExp(`[?&]cp=${decimal}(?:~|%7E)${decimal}`, 'i'),
  new RegExp(`[@/]${decimal},${decimal}(?:,|/|$)`),
  new RegExp(String.raw`#(?:map=)?[\d.]+/${decimal}/${decimal}`),
];
/** Two Russian services write the longitude first. */
const isLonFirst = /^(?:https?:\/\/)?(?:[\w-]+\.)*(?:yandex|2gis)\./i;
const lonFirstInLinks = [
  String.raw`[?&](?:whatshere(?:\[|%5B)point(?:\]|%5D)|pt)=`,
  '/geo/',
  '[?&](?:ll|m)=',
].map((before) => new RegExp(`${before}${decimal}${comma}${decimal}`, 'i'));

function parseLink(link: string): LatLon | null {
  const lonFirst = isLonFirst.test(link);
  for (const pattern of lonFirst ? lonFirstInLinks : inLinks) {
    const found = pattern.exec(link);
    if (found !== null)
      return lonFirst ? placeOf(found[2], 'N', found[1], 'E') : placeOf(found[1], 'N', found[2], 'E');
  }
  return null;
}

/** The points of the compass as other languages write them beside coordinates; an O is east in some and west in others. */
const compassPoints: readonly (readonly [RegExp, string])[] = [
  [/с\.?\s*ш\.?|北纬|北緯|С/giu, 'N'],
  [/ю\.?\s*ш\.?|南纬|南緯|Ю/giu, 'S'],
  [/в\.?\s*д\.?|东经|東經|В/giu, 'E'],
  [/з\.?\s*д\.?|西经|西經|З/giu, 'W'],
];

const degreeSigns = /[°º˚d度]/gi;
const minuteSigns = /[′'’‘´`分]/g;
const secondSigns = /[″"“”秒]|''/g;
const labels = /^[([]+|[)\]]+$|\b(?:lat|lon|lng|long)(?:itude)?\b\s*[.:=]?/gi;
/** Degrees, minutes, seconds: with their signs, or with spaces or colons between them. */
const half = String.raw`([+-]?\d{1,3}(?:[.,]\d+)?(?:\s*°)?(?:\s*\d+(?:[.,]\d+)?\s*'(?:\s*\d+(?:[.,]\d+)?\s*")?)?|[+-]?\d{1,3}(?:\s+|\s*[°:]\s*)\d{1,2}(?:[.,]\d+)?(?:\s*[\s':]\s*\d{1,2}(?:[.,]\d+)?)?)`;
const lettersAfter = new RegExp(String.raw`^${half}\s*([NS])\s*[,;]?\s*${half}\s*([EW])$`, 'i');
const lettersBefore = new RegExp(String.raw`^([NS])\s*${half}\s*[,;]?\s*([EW])\s*${half}$`, 'i');
const withoutLetters = new RegExp(String.raw`^${half}(?:\s*[,;]\s*|\s+)${half}$`);

function parseDegrees(text: string): LatLon | null {
  const even = compassPoints
    .reduce((it, [sign, letter]) => it.replace(sign, letter), text)
    .replace(labels, '')
    .replaceAll('−', '-')
    .replace(secondSigns, '"')
    .replace(minuteSigns, "'")
    .replace(degreeSigns, '°')
    .trim();
  const after = lettersAfter.exec(even);
  if (after !== null) return placeOf(after[1], after[2], after[3], after[4]);
  const before = lettersBefore.exec(even);
  if (before !== null) return placeOf(before[2], before[1], before[4], before[3]);
  // Two whole numbers are more likely something else.
  if (!/[°.]|\d,\d/.test(even)) return null;
  const bare = withoutLetters.exec(even);
  return bare === null ? null : placeOf(bare[1], 'N', bare[2], 'E');
}

function placeOf(north = '', ns = '', east = '', ew = ''): LatLon | null {
  const lat = degreesOf(north) * (/s/i.test(ns) ? -1 : 1);
  const lon = degreesOf(east) * (/w/i.test(ew) ? -1 : 1);
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}

/** NaN when there are more than sixty minutes, or seconds. */
function degreesOf(half: string): number {
  const [degrees = NaN, minutes = 0, seconds = 0] = (half.match(/\d+(?:[.,]\d+)?/g) ?? []).map((it) =>
    Number(it.replace(',', '.')),
  );
  if (minutes >= 60 || seconds >= 60) return NaN;
  return (degrees + minutes / 60 + seconds / 3_600) * (half.trim().startsWith('-') ? -1 : 1);
}

export const formatDecimal = ({ lat, lon }: LatLon): string => `${lat.toFixed(5)}, ${lon.toFixed(5)}`;

export const formatDms = ({ lat, lon }: LatLon): string => `${dmsOf(lat, 'N', 'S')} ${dmsOf(lon, 'E', 'W')}`;

function dmsOf(value: number, positive: string, negative: string): string {
  const tenths = Math.round(Math.abs(value) * 36_000);
  const [degrees, minutes, seconds] = [
    Math.floor(tenths / 36_000),
    Math.floor((tenths % 36_000) / 600),
    (tenths % 600) / 10,
  ];
  const two = (part: string) => part.padStart(part.includes('.') ? 4 : 2, '0');
  return `${degrees}°${two(String(minutes))}′${two(seconds.toFixed(1))}″ ${value < 0 ? negative : positive}`;
}

const digits = '23456789CFGHJMPQRVWX';
const base = digits.length;
/** Behind the eighth digit stands the plus. */
const plusAt = 8;
const pairs = 10;
/** Of a code of ten digits: some 14 m. */
const cellSide_deg = 1 / 8_000;
/** Further digits part a cell in so many columns and rows. */
const grid = { columns: 4, rows: 5 };

/** The code of ten digits, which names a square of some 14 m. */
export function formatPlusCode({ lat, lon }: LatLon): string {
  // The pole itself belongs to the last row of cells.
  const row = Math.floor(Math.min(lat + 90, 180 - cellSide_deg) / cellSide_deg + 1e-6);
  const column = Math.floor(((((lon + 180) % 360) + 360) % 360) / cellSide_deg + 1e-6);
  let code = '';
  for (let pair = pairs / 2 - 1; pair >= 0; pair--) {
    const unit = base ** pair;
    code += (digits[Math.floor(row / unit) % base] ?? '') + (digits[Math.floor(column / unit) % base] ?? '');
  }
  return `${code.slice(0, plusAt)}+${code.slice(plusAt)}`;
}

function parsePlusCode(text: string, near: LatLon | null): LatLon | null {
  const found = /^([2-9CFGHJMPQRVWX]{2,8})(0{0,6})\+([2-9CFGHJMPQRVWX]{0,7})$/i.exec(text);
  if (found === null) return null;
  const [, head = '', zeros = '', tail = ''] = found;
  const length = head.length + zeros.length;
  if (length % 2 === 1 || tail.length === 1 || length > plusAt) return null;
  if (zeros !== '') return length === plusAt && tail === '' ? middleOf(head.toUpperCase()) : null;
  if (length === plusAt) return middleOf((head + tail).toUpperCase());
  if (near === null || tail === '') return null;
  const missing = plusAt - length;
  const whole = formatPlusCode(near).slice(0, missing) + head + tail;
  const place = middleOf(whole.toUpperCase());
  if (place === null) return null;
  // Of the cells with this ending the one that is nearest.
  const step = base ** (2 - missing / 2);
  const nearest = (at: number, to: number) => at + Math.round((to - at) / step) * step;
  const lat = nearest(place.lat, near.lat);
  return { lat: Math.abs(lat) > 90 ? place.lat : lat, lon: within(nearest(place.lon, near.lon)) };
}

const within = (lon: number) => ((((lon + 180) % 360) + 360) % 360) - 180;

/** The middle of what a whole code names, of an even number of digits up to ten, or more. */
function middleOf(code: string): LatLon | null {
  let [south, west, height, width] = [-90, -180, base * base, base * base];
  for (let at = 0; at < Math.min(code.length, pairs); at += 2) {
    height /= base;
    width /= base;
    south += digits.indexOf(code[at] ?? '') * height;
    west += digits.indexOf(code[at + 1] ?? '') * width;
  }
  for (const digit of code.slice(pairs)) {
    height /= grid.rows;
    width /= grid.columns;
    const value = digits.indexOf(digit);
    south += Math.floor(value / grid.columns) * height;
    west += (value % grid.columns) * width;
  }
  if (south >= 90 || west >= 180) return null;
  return { lat: Math.min(90, south + height / 2), lon: west + width / 2 };
}
