import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withPosition, type LivePosition } from '../../../renderer/telemetry/positionStore.ts';
import { samplePosition } from '../samples.ts';

const at = (s: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, s)).toISOString();

const merge = (messages: readonly ReturnType<typeof samplePosition>[]) =>
  messages.reduce<LivePosition | undefined>((live, it) => withPosition(live, it, 3), undefined);

describe('the state of a vehicle', () => {
  it('the state of a vehicle holds the newest message, and the newest place that holds good', () => {
    const live = merge([
      samplePosition({ time: at(1), lat: 1 }),
      samplePosition({ time: at(3), lat: 0, valid: false }),
      samplePosition({ time: at(2), lat: 2 }),
    ]);
    expect(live?.last.time).toBe(at(3));
    expect(live?.fix?.lat).toBe(2);
  });

  it('the state of a vehicle does not depend on the order in which messages come, nor on repetitions', () => {
    const message = fc
      .record({ s: fc.nat(5), received: fc.nat(50), valid: fc.boolean() })
      .map(({ s, received, valid }) =>
        samplePosition({ time: at(s), received_at: at(received), valid, lat: received, lon: s }),
      );
    const messages = fc.uniqueArray(message, {
      minLength: 1,
      maxLength: 8,
      selector: (it) => it.received_at,
    });
    fc.assert(
      fc.property(messages, fc.array(fc.nat()), (list, order) => {
        const shuffled = [...list]
          .map((it, index) => ({ it, key: order[index] ?? index }))
          .sort((a, b) => a.key - b.key)
          .map(({ it }) => it);
        const known = (live: LivePosition | undefined) => ({
          last: live?.last,
          fix: live?.fix,
          at: live?.contactAt,
        });
        expect(known(merge([...shuffled, ...list]))).toEqual(known(merge(list)));
      }),
    );
  });

  it('the state of a vehicle remembers since when the engine has run while it stands', () => {
    const idle = { ignition: true, speed_kmh: 0 };
    const stands = merge([
      samplePosition({ time: at(1), ...idle }),
      samplePosition({ time: at(9), ...idle }),
    ]);
    expect(stands?.idleSince).toBe(Date.parse(at(1)));
    const drives = merge([
      samplePosition({ time: at(1), ...idle }),
      samplePosition({ time: at(9), ignition: true, speed_kmh: 30 }),
    ]);
    expect(drives?.idleSince).toBeNull();
  });
});
