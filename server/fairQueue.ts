/** What waits of several users, taken round-robin by user; a user's own in the order of its coming. */
export type FairQueue<Item> = ReturnType<typeof createFairQueue<Item>>;

/**
 * Start-time fair queueing: each user's items bear rising numbers, and the lowest is taken. A new user starts at
 * the number that was taken last, and so before a second item of the user who was just served.
 * (Goyal, Vin, Cheng: Start-Time Fair Queueing, 1997; here every item costs the same.)
 */
export function createFairQueue<Item>() {
  const users = new Map<string, { turn: number; items: Item[] }>();
  /** The next turns of users of whom nothing waits. */
  const later = new Map<string, number>();
  let now = 0;
  let all = 0;

  function drop(user_id: string, turn: number): void {
    users.delete(user_id);
    if (turn > now) later.set(user_id, turn);
  }

  return {
    /** How many wait: of one user, or of all. */
    size: (user_id?: string) => (user_id === undefined ? all : (users.get(user_id)?.items.length ?? 0)),

    add(user_id: string, item: Item): void {
      const user = users.get(user_id);
      all += 1;
      if (user === undefined)
        users.set(user_id, { turn: Math.max(now, later.get(user_id) ?? 0), items: [item] });
      else user.items.push(item);
      later.delete(user_id);
    },

    /** The next one, of the user whose turn it is. */
    take(): Item | undefined {
      let next: [string, { turn: number; items: Item[] }] | undefined;
      for (const entry of users) if (next === undefined || entry[1].turn < next[1].turn) next = entry;
      if (next === undefined) return undefined;
      const [user_id, user] = next;
      if (user.turn > now) {
        now = user.turn;
        for (const [id, turn] of later) if (turn <= now) later.delete(id);
      }
      user.turn += 1;
      all -= 1;
      const item = user.items.shift();
      if (user.items.length === 0) drop(user_id, user.turn);
      return item;
    },

    /** Whether it waited here. */
    remove(item: Item): boolean {
      for (const [user_id, { turn, items }] of users) {
        const place = items.indexOf(item);
        if (place === -1) continue;
        items.splice(place, 1);
        all -= 1;
        if (items.length === 0) drop(user_id, turn);
        return true;
      }
      return false;
    },

    /** Those of whom something waits. */
    users: (): Iterable<string> => users.keys(),

    /** Takes out what a user added last. */
    takeLast(user_id: string): Item | undefined {
      const user = users.get(user_id);
      const item = user?.items.pop();
      if (user === undefined || item === undefined) return undefined;
      all -= 1;
      if (user.items.length === 0) drop(user_id, user.turn);
      return item;
    },
  };
}
