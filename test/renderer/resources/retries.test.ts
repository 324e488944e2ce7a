import { expect, it } from 'vitest';
import { createRetries } from '../../../renderer/resources/retries.ts';

it('all that is shown as failed is tried at once, each until it is shown no longer', () => {
  const retries = createRetries();
  const tried: string[] = [];
  expect(retries.any()).toBe(false);
  const forget = retries.add(() => {
    tried.push('a');
    // What is tried is shown as being read, and gone from here.
    forget();
  });
  retries.add(() => tried.push('b'));
  expect(retries.any()).toBe(true);
  retries.run();
  expect(tried).toEqual(['a', 'b']);
  retries.run();
  expect(tried).toEqual(['a', 'b', 'b']);
});

it('an entity that is shown in two places is there until both are gone', () => {
  const retries = createRetries();
  const run = () => undefined;
  const [first, second] = [retries.add(run), retries.add(run)];
  first();
  expect(retries.any()).toBe(true);
  second();
  expect(retries.any()).toBe(false);
});
