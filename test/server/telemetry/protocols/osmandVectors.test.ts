import { expect, test } from 'vitest';
import { decodeOsmandJson } from '../../../../server/telemetry/protocols/osmand/osmandJson.ts';
import { decodeOsmandParameters } from '../../../../server/telemetry/protocols/osmand/osmandParameters.ts';
import { noVectors, osmandVectors } from './osmandData.ts';
import { deviations, expectStated, isDeviation } from './osmandStated.ts';

// Over real sockets they are read in gateway/osmandClients.test.ts.

if (osmandVectors.length === 0) {
  test('the OsmAnd decoder reads the vectors that were collected from other programs', ({ skip }) =>
    skip(noVectors));
}

test.each(osmandVectors)('the OsmAnd decoder reads vector $id as its collectors state it', (one) => {
  const { input, input_encoding } = one;
  const reports =
    input_encoding === 'url'
      ? [decodeOsmandParameters(new URL(input, 'http://terminal.invalid').searchParams, 'kn')]
      : decodeOsmandJson(input);
  expect(reports.filter((it) => it.place !== null)).toHaveLength(one.expect.count);
  for (const report of reports) expectStated(report, one);
  expect(reports).toHaveLength(1);
});

test('the OsmAnd decoder deviates from no vector in another way than is listed', ({ skip }) => {
  if (osmandVectors.length === 0) skip(noVectors);
  const stated = new Set(osmandVectors.flatMap((it) => it.expect.positions.flatMap(Object.keys)));
  expect([...stated].filter(isDeviation).sort()).toEqual(Object.keys(deviations).sort());
});
