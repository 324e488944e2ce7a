import { readCsv } from '../../server/contract/csv.ts';

/**
 * The records as objects by the names of the columns, without empty fields.
 *
 * @param max nothing is read beyond so many records and one more
 */
export function parseCsv(text: string, max = Infinity): Record<string, string>[] {
  const { columns, records } = readCsv(text);
  const objects: Record<string, string>[] = [];
  for (const { fields } of records) {
    objects.push(
      Object.fromEntries(
        fields.flatMap((field, at) => (field.trim() === '' ? [] : [[columns[at] ?? '', field.trim()]])),
      ),
    );
    if (objects.length > max) break;
  }
  return objects;
}
