import { describe, expect, it } from 'vitest';
import { csvOf } from '../../../renderer/events/columns.tsx';

const textOf = async (rows: string[][]) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await csvOf(rows).arrayBuffer());

describe('a CSV file', () => {
  it('a CSV file declares UTF-8 to spreadsheets and ends each line as the standard says', async () => {
    expect(
      await textOf([
        ['Time', 'What'],
        ['12:00', 'Überholt'],
      ]),
    ).toBe('\ufeffTime,What\r\n12:00,Überholt\r\n');
  });

  it('a CSV file quotes what would break it', async () => {
    expect(await textOf([['a,b', 'say "hello"', 'two\nlines']])).toBe(
      '\ufeff"a,b","say ""hello""","two\nlines"\r\n',
    );
  });

  it('a CSV file lets no name become a formula', async () => {
    expect(await textOf([['=HYPERLINK("x")', '+1', '−3 m/s²', 'V 1']])).toBe(
      '\ufeff"\'=HYPERLINK(""x"")",\'+1,−3 m/s²,V 1\r\n',
    );
  });
});
