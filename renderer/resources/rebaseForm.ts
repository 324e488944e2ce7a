/**
 * A form once it is saved, or once others saved what it changes: what was typed since stands on top of what is saved
 * now.
 *
 * @param typed the form as it is now
 * @param sent the form as it was when saving began, or when it was opened
 */
export function rebaseForm<Form extends object>(typed: Form, sent: Form, saved: Form): Form {
  const next = { ...saved };
  for (const field in typed) if (!isSame(typed[field], sent[field])) next[field] = typed[field];
  return next;
}

/** Whether two states of a form's field say the same. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The fields of `next` that say something else than `base`; lists of ids say the same in any order. */
export function changesOf<Fields extends object>(
  next: Fields,
  base: Readonly<Partial<Record<keyof Fields, unknown>>>,
): Partial<Fields> {
  const plain = (value: unknown): unknown => (Array.isArray(value) ? [...new Set(value)].sort() : value);
  return Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !isSame(plain(value), plain(base[name as keyof Fields]))),
  ) as Partial<Fields>;
}
