import { test } from 'vitest';
import { decodeOsmandJson, decodeOsmandParameters } from '../../../../server/telemetry/protocols/osmand.ts';
import { noVectors, osmandVectors } from './osmandData.ts';
import { expectStated } from './osmandStated.ts';

if (osmandVectors.length === 0) {
  test('reads the vectors that were collected from other programs', ({ skip }) => skip(noVectors));
}

test.each(osmandVectors)('reads vector $id as its collectors state it', (one) => {
  const report =
    one.input_encoding === 'url'
      ? decodeOsmandParameters(new URL(one.input, 'http://terminal.invalid').searchParams, 'kn')
      : decodeOsmandJson(one.input);
  expectStated(report, one);
});
