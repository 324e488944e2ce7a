import { setTimeout as pause } from 'node:timers/promises';
import { startBenchHost } from './benchHost.ts';
import { listen } from './listeners.ts';

const vehicles = 1_000;
const listeners = 100;
const seconds = 10;
/** So many calls a second, each with as many positions as make up 1,000 a second. */
const callsPerSecond = 20;

/** How long after their receipt positions have been stored and reached who listens. */
export async function benchStream(): Promise<void> {
  const host = await startBenchHost(vehicles);
  const heard = await listen({ url: host.url, jwt: host.dealer.jwt, listeners });
  const slice = vehicles / callsPerSecond;
  const begun = performance.now();
  for (let call = 0; call < callsPerSecond * seconds; call++) {
    await pause(Math.max(0, begun + (call * 1_000) / callsPerSecond - performance.now()));
    const from = (call % callsPerSecond) * slice;
    await host.report(host.terminals.slice(from, from + slice));
  }
  const lasted_s = (performance.now() - begun) / 1_000;
  const delays = await heard.end();
  const positions = callsPerSecond * seconds * slice;
  delays.sort((a, b) => a - b);
  const at = (share: number) => (delays[Math.floor((delays.length - 1) * share)] ?? Number.NaN).toFixed(1);
  console.log(
    `stream: ${listeners} listeners, ${Math.round(positions / lasted_s)} positions/s for ${lasted_s.toFixed(1)} s`,
  );
  console.log(
    `  delay from receipt, the commit included, to the listener: median ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );
  console.log(`  messages heard         ${delays.length} of ${callsPerSecond * seconds * listeners}`);
  await host.close();
}
