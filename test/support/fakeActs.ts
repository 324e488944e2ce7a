import type { Acts, Once } from '../../server/store/acts.ts';
import type { ActResults, ActWrites } from '../../server/store/operations.ts';

type Writes = { [Op in keyof ActWrites]?: (args: ActWrites[Op]) => Promise<ActResults[Op]> };

/**
 * Acts of repositories that keep no collections, over operations that are made up.
 *
 * @param keep is given the response that is stored with what the operations store
 */
export function createFakeActs(
  writes: Writes,
  clock: { now(): number },
  keep: (once: Omit<Once<never>, 'present'>, response: string) => void = () => undefined,
): Pick<Acts, 'run'> {
  return {
    async run(stage, { once } = {}) {
      const asked: (() => Promise<() => void>)[] = [];
      const result = stage({
        now_ms: clock.now(),
        write(op, args, then) {
          const write = writes[op];
          if (write === undefined) throw new Error(`no write is named ${op}`);
          asked.push(async () => {
            const written = await write(args);
            return () => then?.(written);
          });
        },
        intent: () => undefined,
        afterCommit: () => undefined,
      });
      if (once !== undefined) keep(once, once.present(result));
      for (const run of asked) (await run())();
      return result;
    },
  };
}
