import { setTimeout as pause } from 'node:timers/promises';
import { startBenchHost } from './benchHost.ts';
import { hostInChildProcess } from './hostApart.ts';
import { listen, preciseNow } from './listeners.ts';

const vehicles = 1_000;
const listeners = 100;
const seconds = 10;
/** So many calls a second, each with as many positions as make up 1,000 a second. */
const callsPerSecond = 20;

/** The cost of a host that takes positions in and publishes them to many clients, and how long they wait for it. */
export async function benchStream(): Promise<void> {
  const host = await startBenchHost(vehicles, hostInChildProcess);
  const ears = await listen({ url: host.url, jwt: host.dealer.jwt, listeners });
  const slice = vehicles / callsPerSecond;
  const acknowledged = new Map<string, number>();
  const cpuBeforeS = await host.cpu_s();
  const begun = performance.now();
  for (let call = 0; call < callsPerSecond * seconds; call++) {
    await pause(Math.max(0, begun + (call * 1_000) / callsPerSecond - performance.now()));
    const from = (call % callsPerSecond) * slice;
    const time = await host.report(host.terminals.slice(from, from + slice));
    acknowledged.set(time, preciseNow());
  }
  const lasted_s = (performance.now() - begun) / 1_000;
  const cpu_s = (await host.cpu_s()) - cpuBeforeS;
  const heard = await ears.end();
  const positions = callsPerSecond * seconds * slice;
  console.log(
    `stream: ${listeners} listeners, ${Math.round(positions / lasted_s)} positions/s for ${lasted_s.toFixed(1)} s`,
  );
  console.log(`  CPU of the host        ${((cpu_s / lasted_s) * 100).toFixed(0)} % of one core`);
  // The acknowledgement leaves right after the commit.
  printDelays(
    'commit to listener',
    heard.map((it) => it.heard_ms - (acknowledged.get(it.time) ?? Number.NaN)),
  );
  printDelays(
    'receipt to listener',
    heard.map((it) => it.heard_ms - it.received_ms),
  );
  console.log(`  messages heard         ${heard.length} of ${callsPerSecond * seconds * listeners}`);
  await host.close();
}

function printDelays(name: string, delays: readonly number[]): void {
  const sorted = [...delays].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1);
  console.log(`  ${name.padEnd(22)} median ${at(0.5)} ms, p99 ${at(0.99)} ms`);
}
