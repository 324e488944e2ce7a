import { serviceRoutes } from '../../server/contract/settings.ts';
import type { SoakHost } from './soakHost.ts';

/** How the host was at one moment. */
export interface Beat {
  at_ms: number;
  residentMib: number | null;
  /** How long its process has run. */
  age_s: number;
  /** How long it took to answer its status. */
  answer_ms: number;
  connections: number;
}

export interface HostProbe {
  readonly beats: readonly Beat[];
  stop(): Promise<void>;
}

const betweenMs = 2_000;

/** Looks at the host now, and every two seconds from now on. */
export async function watchHostProbe(host: SoakHost): Promise<HostProbe> {
  const beats: Beat[] = [];
  let isStopped = false;
  let wake = (): void => undefined;

  async function beat(): Promise<void> {
    const at_ms = Date.now();
    try {
      const begun = performance.now();
      const { intake } = await host.dealer().ask(serviceRoutes.status);
      const answer_ms = performance.now() - begun;
      const connections = Object.values(intake).reduce(
        (sum, listener) => sum + (listener?.connections ?? 0),
        0,
      );
      beats.push({
        at_ms,
        residentMib: await host.residentMib(),
        age_s: host.age_s(),
        answer_ms,
        connections,
      });
    } catch {
      // It is being killed.
    }
  }

  async function watch(): Promise<void> {
    while (!isStopped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, betweenMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      await beat();
    }
  }

  await beat();
  const watching = watch();
  return {
    beats,
    async stop() {
      isStopped = true;
      wake();
      await watching;
    },
  };
}
