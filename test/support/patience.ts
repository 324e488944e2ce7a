import { vi } from 'vitest';

/** Vitest's own bound is a second, which a busy machine takes for what comes by itself. */
const timeout = 45_000;
const bounded = Symbol.for('fleetdeck.bounded');

// Files share a process, and each runs this.
if (!(bounded in vi)) {
  const { waitFor, waitUntil } = vi;
  const wide = (options: number | object | undefined) =>
    typeof options === 'number' ? options : { timeout, ...options };
  Object.assign(vi, {
    [bounded]: true,
    waitFor: ((look, options) => waitFor(look, wide(options))) satisfies typeof waitFor,
    waitUntil: ((look, options) => waitUntil(look, wide(options))) satisfies typeof waitUntil,
  });
}
