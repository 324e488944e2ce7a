import { describe, expect, it } from 'vitest';
import {
  formatDecimal,
  formatDms,
  formatPlusCode,
  parseCoordinates,
} from '../../../server/contract/coordinates.ts';

const near = (text: string, lat: number, lon: number, from: { lat: number; lon: number } | null = null) => {
  const place = parseCoordinates(text, from);
  expect(place, text).not.toBeNull();
  expect(place?.lat, text).toBeCloseTo(lat, 4);
  expect(place?.lon, text).toBeCloseTo(lon, 4);
};

describe('coordinates', () => {
  it('coordinates are read in decimal degrees, with signs, letters and either decimal mark', () => {
    near('42.5078, 1.5251', 42.5078, 1.5251);
    near('42.5078 1.5251', 42.5078, 1.5251);
    near('42,5078 1,5251', 42.5078, 1.5251);
    near('42,5078; -1,5251', 42.5078, -1.5251);
    near('−33.8568,151.2153', -33.8568, 151.2153);
    near('42.5078° N, 1.5251° W', 42.5078, -1.5251);
    near('N42.5078 W1.5251', 42.5078, -1.5251);
    near('42.5078S 1.5251e', -42.5078, 1.5251);
  });

  it('coordinates are read in degrees with minutes and seconds', () => {
    near('42°30′28.1″ N 1°31′30.4″ E', 42.50781, 1.52511);
    near(`42°30'28.1"N 1°31'30.4"E`, 42.50781, 1.52511);
    near(`42°30'28.1"N, 1°31'30.4"W`, 42.50781, -1.52511);
    near(`S 42°30.468' W 1°31.506'`, -42.5078, -1.5251);
    near('42 30 28.1 N 1 31 30.4 E', 42.50781, 1.52511);
    near(`42°30', -1°30'`, 42.5, -1.5);
  });

  it('coordinates are read with the points of the compass in Russian and Chinese', () => {
    near('55.7522° с. ш. 37.6156° в. д.', 55.7522, 37.6156);
    near('55°45′08″ с.ш., 37°36′56″ в.д.', 55.75222, 37.61556);
    near('С 55.7522 З 37.6156', 55.7522, -37.6156);
    near('北纬39°54′20″ 东经116°23′29″', 39.90556, 116.39139);
    near('南纬33度51分24秒，西经151度12分'.replace('，', ', '), -33.85667, -151.2);
  });

  it('coordinates are read from geo URIs and from the links of maps, the mark before the middle of the view', () => {
    near('geo:42.5078,1.5251', 42.5078, 1.5251);
    near('geo:42.5078,-1.5251,900;u=35', 42.5078, -1.5251);
    near('https://www.openstreetmap.org/#map=15/42.5078/1.5251', 42.5078, 1.5251);
    near('https://www.openstreetmap.org/?mlat=42.5&mlon=1.5#map=15/42.6/1.6', 42.5, 1.5);
    near('https://maps.example/maps?q=42.5078,1.5251', 42.5078, 1.5251);
    near('https://maps.example/maps/@42.6,1.6,17z/data=!3d42.5078!4d1.5251', 42.5078, 1.5251);
    near('https://maps.example/maps/@42.5078,-1.5251,17z', 42.5078, -1.5251);
    expect(parseCoordinates('https://maps.example/about/2026/11')).toBeNull();
    expect(parseCoordinates('geo:142.5,1.5')).toBeNull();
  });

  it.each([
    ['N 42° 30.468 E 1° 31.506', 42.5078, 1.5251],
    ['42:30:28.1N 1:31:30.4W', 42.50781, -1.52511],
    ['-42:30:28.1, 1:31:30.4', -42.50781, 1.52511],
    [`42°30'28.1"N1°31'30.4"E`, 42.50781, 1.52511],
    ['-42° 30.468, 1° 31.506', -42.5078, 1.5251],
    ['(42.5078, 1.5251)', 42.5078, 1.5251],
    ['[42.5078; -1.5251]', 42.5078, -1.5251],
    ['lat 42.5078, lon 1.5251', 42.5078, 1.5251],
    ['Lat: 42.5078 Lng: -1.5251', 42.5078, -1.5251],
    ['latitude=42,5078; longitude=1,5251', 42.5078, 1.5251],
    ['42,5078, 1,5251', 42.5078, 1.5251],
  ])('coordinates are read as devices and tables write them: %s', (text, lat, lon) => near(text, lat, lon));

  it.each([
    ['geo:0,0?q=42.5078,1.5251(Depot)', 42.5078, 1.5251],
    ['geo:42.5078,1.5251?z=15', 42.5078, 1.5251],
    ['www.openstreetmap.org/#map=15/42.5078/1.5251', 42.5078, 1.5251],
    ['https://tiles.example/view#15.2/42.5078/1.5251', 42.5078, 1.5251],
    ['https://maps.example/maps?q=42.5078,%201.5251&z=17', 42.5078, 1.5251],
    ['https://maps.example/maps?q=loc:42.5078%2C1.5251', 42.5078, 1.5251],
    ['https://maps.example/place?coordinate=42.5078,1.5251&name=Depot', 42.5078, 1.5251],
    ['https://maps.example/live-map/directions?to=ll.42.5078%2C1.5251', 42.5078, 1.5251],
    ['https://maps.example/maps?cp=42.5078~1.5251&lvl=16', 42.5078, 1.5251],
    ['https://maps.example/?lat=42.5078&lng=1.5251', 42.5078, 1.5251],
    ['https://yandex.ru/maps/?ll=1.6%2C42.6&pt=1.5251,42.5078&z=10', 42.5078, 1.5251],
    ['https://2gis.ru/moscow?m=1.5251%2C42.5078%2F16', 42.5078, 1.5251],
    ['https://fleet.example/#/live?point=42.50780,1.52510', 42.5078, 1.5251],
    [
      `https://maps.example/maps/place/${'Depot+'.repeat(80)}/@42.6,1.6,17z/data=!3d42.5078!4d1.5251`,
      42.5078,
      1.5251,
    ],
  ])('coordinates are read from the link %.80s', (text, lat, lon) => near(text, lat, lon));

  it('what is no coordinates is none', () => {
    for (const text of [
      '',
      'Elm Street 12',
      '12 45',
      '12',
      '91.5, 1.5',
      '42.5, 181.0',
      `42°61' N 1°1' E`,
      '1.5.3 2.2',
      '+4922',
      '2222',
      'N N',
      '12:45',
      '12:45 13:30',
      '10:15:00 - 10:30:00',
      'depot.example/42',
      `https://maps.example/maps?q=42.5,1.5&${'x'.repeat(2_000)}`,
      '42.5 N 1.5 S',
      `${'1'.repeat(300)}.5 1.5`,
    ]) {
      expect(parseCoordinates(text, { lat: 42, lon: 1 }), text).toBeNull();
    }
  });

  // Vectors of the notation's own authors: github.com/google/open-location-code, test_data.
  it('Plus Codes are read as their authors read them', () => {
    near('7FG49Q00+', 20.375, 2.775);
    near('7FG49QCJ+2V', 20.3700625, 2.7821875);
    near('7FG49QCJ+2VX', 20.3701125, 2.782234375);
    near('7FG49QCJ+2VXGJ', 20.3701135, 2.78223535);
    near('4vcppqgp+q9', -41.2730625, 174.7859375);
    near('62G20000+', 0.5, -179.5);
    near('22222222+22', -89.9999375, -179.9999375);
    near('CFX3X2X2+X2', 89.9999375, 1.0000625);
    near('6FH56C22+22', 1.2000625, 3.4000625);
    for (const text of ['7FG49QCJ+2', '7FG49QC+2V', '7FG4AQCJ+2V', '7FG49Q00+2V', 'X2222222+22']) {
      expect(parseCoordinates(text), text).toBeNull();
    }
  });

  it('short Plus Codes are completed by the place that they are said of', () => {
    near('CJ+2VX', 51.3701125, -1.217765625, { lat: 51.3708675, lon: -1.217765625 });
    near('9QCJ+2VX', 51.3701125, -1.217765625, { lat: 51.3852125, lon: -1.217765625 });
    near('22+22', 14.9500625, -23.4999375, { lat: 14.95125, lon: -23.5001 });
    // Its cell begins south of the place.
    near('XGRF+PM', 46.9918125, 8.5241875, { lat: 47, lon: 8.55 });
    expect(parseCoordinates('9QCJ+2VX')).toBeNull();
  });

  it('Plus Codes of ten digits are written as their authors write them', () => {
    expect(formatPlusCode({ lat: 20.3700625, lon: 2.7821875 })).toBe('7FG49QCJ+2V');
    expect(formatPlusCode({ lat: 47.0000625, lon: 8.0000625 })).toBe('8FVC2222+22');
    expect(formatPlusCode({ lat: -41.2730625, lon: 174.7859375 })).toBe('4VCPPQGP+Q9');
    expect(formatPlusCode({ lat: 90, lon: 1 })).toBe('CFX3X2X2+X2');
    expect(formatPlusCode({ lat: 1, lon: 181 })).toBe('62H32222+22');
    expect(formatPlusCode({ lat: 1.2, lon: 3.4 })).toBe('6FH56C22+22');
  });

  it('what is written is read as the same place', () => {
    const places = [
      { lat: 42.50781, lon: 1.52511 },
      { lat: -33.85681, lon: 151.21532 },
      { lat: 0, lon: -0.00001 },
      { lat: 59.99999, lon: -179.99999 },
      { lat: -89.9, lon: 179.9 },
    ];
    for (const place of places) {
      near(formatDecimal(place), place.lat, place.lon);
      for (const text of [formatDms(place), formatPlusCode(place)]) {
        const read = parseCoordinates(text);
        expect(Math.abs((read?.lat ?? NaN) - place.lat), text).toBeLessThan(0.0001);
        expect(Math.abs((read?.lon ?? NaN) - place.lon), text).toBeLessThan(0.0001);
      }
    }
    expect(formatDms({ lat: 42.50781, lon: -1.52511 })).toBe('42°30′28.1″ N 1°31′30.4″ W');
    expect(formatDms({ lat: 59.99999999, lon: 0 })).toBe('60°00′00.0″ N 0°00′00.0″ E');
  });
});
