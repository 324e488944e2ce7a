// Own: immer 11.2 takes a draft that was changed back for a change, freezes what was put in, and leaves to us the check of
// what JSON can hold.

type Container = Record<string, unknown> | unknown[];

/**
 * Everything that `settle` made: plain JSON through and through, and frozen. Lists of numbers are known by what they
 * are: to keep a quarter of a million corners of geofences here takes a second.
 */
const settled = new WeakSet<object>();

/**
 * Runs `mutate` on a draft of `base` and returns what came of it. `base` stays as it is; what `mutate` did not
 * touch is shared, not copied. Reading a draft copies each object that is met, so `mutate` gets `base` too, to
 * search in. Should `mutate` throw, nothing has happened. `next` is `base` itself when nothing
 * changed; it and `result` are frozen, and hold exactly what JSON would give back.
 *
 * `base` must come from here or from `settle`. It is a tree: an object that was put in two places is two.
 *
 * @throws TypeError when something that JSON cannot hold (NaN, a Date, a promise, ...) was put in or returned,
 *   and when a draft is changed after `mutate` returned
 */
export function produce<T extends object, R>(
  base: T,
  mutate: (draft: T, before: T) => R,
): { next: T; result: R } {
  const drafts = new Drafts();
  const draft = drafts.of(base);
  try {
    const returned = mutate(draft, base);
    return { next: drafts.settle(draft), result: drafts.settle(returned) };
  } finally {
    drafts.close();
  }
}

/** `value` as plain, frozen JSON; shares no object with `value` unless that came from here. */
export function settle<T>(value: T): T {
  return new Drafts().settle(value);
}

class Drafts {
  readonly #drafts = new Map<object, { base: Container; copy: Container }>();
  readonly #finals = new Map<object, Container>();
  #closed = false;

  of<T extends object>(base: T): T {
    if (!isContainer(base) || !isSettled(base)) throw new TypeError('only what settle made can be drafted');
    // A shallow copy at the first touch: Proxy's own rules then hold without a trap for each of them.
    const copy = shallowCopy(base);
    const draft = new Proxy(copy, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (this.#closed || !Object.hasOwn(target, key)) return value;
        // Drafts, and what the mutator brought in itself, it may change as they are.
        if (!isContainer(value) || !isSettled(value)) return value;
        const child = this.of(value);
        Reflect.set(target, key, child);
        return child;
      },
      set: (target, key, value) => this.#changing() && Reflect.set(target, key, value),
      deleteProperty: (target, key) => this.#changing() && Reflect.deleteProperty(target, key),
      defineProperty: (target, key, what) => this.#changing() && Reflect.defineProperty(target, key, what),
    });
    this.#drafts.set(draft, { base, copy });
    // The proxy shows the shape of `base`.
    return draft as T;
  }

  settle<T>(value: T): T {
    // Same shape out as in, which the compiler cannot follow through `unknown`.
    return this.#settle(value, '') as T;
  }

  close(): void {
    this.#closed = true;
  }

  #changing(): boolean {
    if (this.#closed) throw new TypeError('a draft can be changed only while its update runs');
    return true;
  }

  #settle(value: unknown, path: string): unknown {
    if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') {
      return value;
    }
    // JSON has no minus zero.
    if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value;
    if (typeof value !== 'object')
      throw new TypeError(`${at(path)} is a ${typeof value} that JSON cannot hold`);
    if (isSettled(value)) return value;
    if (isOfNumbers(value) && !this.#drafts.has(value)) return Object.freeze(value.slice());
    const known = this.#finals.get(value);
    if (known) return known;
    if (!isContainer(value)) throw new TypeError(`${at(path)} is no plain object`);
    const draft = this.#drafts.get(value);
    // The draft's own copy is nobody else's, and becomes the result; what the mutator brought in is copied.
    const final = this.#settleContent(draft?.copy ?? shallowCopy(value), path);
    const kept = draft && isShallowEqual(final, draft.base) ? draft.base : final;
    settled.add(Object.freeze(kept));
    this.#finals.set(value, kept);
    return kept;
  }

  #settleContent(content: Container, path: string): Container {
    if (Array.isArray(content)) {
      return Array.from(content, (value, index) => {
        if (value === undefined) throw new TypeError(`${at(`${path}/${index}`)} is undefined`);
        // Before a text is made of its place.
        if (isOfNumbers(value) && !this.#drafts.has(value)) return this.#settle(value, path);
        return this.#settle(value, `${path}/${index}`);
      });
    }
    for (const key of Object.keys(content)) {
      const value = content[key];
      if (isSettled(value)) continue;
      if (value === undefined) Reflect.deleteProperty(content, key);
      else Reflect.set(content, key, this.#settle(value, `${path}/${key}`));
    }
    return content;
  }
}

function isSettled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return settled.has(value) || (Object.isFrozen(value) && isOfNumbers(value));
}

/** Such as the longitude and latitude of a corner: what JSON gives back as it is. */
function isOfNumbers(value: unknown): value is number[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  for (let at = 0; at < value.length; at += 1) {
    const number: unknown = value[at];
    // JSON has no minus zero.
    if (typeof number !== 'number' || !Number.isFinite(number) || Object.is(number, -0)) return false;
  }
  return Object.getPrototypeOf(value) === Array.prototype;
}

function shallowCopy(value: Container): Container {
  return Array.isArray(value) ? [...value] : { ...value };
}

function isContainer(value: unknown): value is Container {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isShallowEqual(a: Container, b: Container): boolean {
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && Object.is(Reflect.get(a, key), Reflect.get(b, key)))
  );
}

function at(path: string): string {
  return path === '' ? 'the value' : path;
}
