import type { Access } from '../../../server/contract/video.ts';

/** One user's acts of one kind: the last one, and how many they are. */
export interface Person extends Access {
  times: number;
}

/** A list of accesses (newest first), one row for each user and kind; in order of the last act. */
export function peopleOf(list: readonly Access[]): Person[] {
  const people = new Map<string, Person>();
  for (const access of list) {
    const key = `${access.user_id} ${access.action}`;
    const known = people.get(key);
    if (known === undefined) people.set(key, { ...access, times: 1 });
    else known.times += 1;
  }
  return [...people.values()];
}
