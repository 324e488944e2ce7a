/** Whether nothing is in it. Makes no list of its keys: it is asked several times for each fix of the fleet. */
export function isEmpty(record: Readonly<Record<string, unknown>>): boolean {
  for (const _ in record) return false;
  return true;
}
