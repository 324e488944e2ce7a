import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { startRetention } from '../../../server/app/retention.ts';
import { settingsFields } from '../../../server/contract/settings.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

it('what fails when old data are deleted holds up nothing else, that day and the next', async () => {
  const clock = createFakeClock();
  const done: string[] = [];
  const step = (name: string, fails: boolean) => () => {
    done.push(name);
    return fails ? Promise.reject(new Error(`${name} is held open`)) : Promise.resolve();
  };
  onTestFinished(
    startRetention({
      store: { prune: () => Promise.reject(new Error('the disk is full')) },
      settings: () => settingsFields.parse({}),
      publish: () => undefined,
      others: [step('clips', true), step('snapshots', false)],
      clock,
      log: pino({ level: 'silent' }),
    }),
  );
  clock.advance(60_000);
  await expect.poll(() => done).toEqual(['clips', 'snapshots']);
  await expect
    .poll(() => {
      clock.advance(86_400_000);
      return done.slice(0, 4);
    })
    .toEqual(['clips', 'snapshots', 'clips', 'snapshots']);
});
