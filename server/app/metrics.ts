import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { troubleCodes, type TroubleCode } from '../contract/health.ts';
import type { Store } from '../store/operations.ts';
import type { DiskSpace } from '../video/videoFiles.ts';
import type { Listeners } from './intake.ts';

/** What is read when somebody asks. */
export interface MetricSources {
  store: Pick<Store, 'stats' | 'taskCounts'>;
  space: () => Promise<DiskSpace>;
  listeners: Readonly<Listeners>;
  has: (code: TroubleCode) => boolean;
  /** How many streams are open. */
  streams: () => number;
  /** How much waits, by the name of its queue. */
  queues: Readonly<Record<string, () => number>>;
}

/** Whoever asks more often gets the same answer: reading the counts of a large depot takes the reader's time. */
const keptMs = 2_000;
const quantiles = [0.5, 0.99, 1];
const countedOutcomes = ['stored', 'duplicate', 'merged', 'rejected', 'unknown'] as const;

/** The metrics of one host, by the names and units of Prometheus. */
export function createMetrics(clock: { monotonic(): number }) {
  const registry = new Registry();
  const registers = [registry];
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const commits = new Histogram({
    name: 'fleetdeck_commit_seconds',
    help: 'Time from a write of the store to its commit on the disk',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    registers,
  });
  const replies = new Counter({
    name: 'fleetdeck_http_requests_total',
    help: 'HTTP requests by the status of their reply',
    labelNames: ['status'],
    registers,
  });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `fleetdeck_${name}`, help, labelNames, registers });
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `fleetdeck_${name}`, help, labelNames, registers });
  const reports = counter('positions_total', 'Reports of terminals by protocol and outcome', [
    'protocol',
    'outcome',
  ]);
  const rejections = counter('rejections_total', 'Messages and connections rejected by protocol and reason', [
    'protocol',
    'reason',
  ]);
  const connections = gauge('connections', 'Open connections of terminals', ['protocol']);
  const loopDelay = gauge('event_loop_delay_seconds', 'Delay of the event loop since the last reading', [
    'quantile',
  ]);
  const memory = gauge('resident_memory_bytes', 'Memory of the process');
  const queues = gauge('queue_length', 'What waits, by queue', ['queue']);
  const tasks = gauge('video_tasks', 'Video tasks by status', ['status']);
  const streams = gauge('streams', 'Open streams');
  const database = gauge('database_bytes', 'Size of the database with its write-ahead log');
  const free = gauge('disk_free_bytes', 'Free space where the data folder lies');
  const health = gauge('trouble', '1 while the host has this trouble', ['code']);

  async function read(sources: MetricSources): Promise<string> {
    const [stats, space, counts] = await Promise.all([
      sources.store.stats(),
      sources.space(),
      sources.store.taskCounts(),
    ]);
    database.set(stats.bytes);
    free.set(space.free);
    tasks.reset();
    for (const { status, count } of counts) tasks.set({ status }, count);
    reports.reset();
    rejections.reset();
    for (const [protocol, { counts: heard, listener, watch }] of Object.entries(sources.listeners)) {
      for (const outcome of countedOutcomes) reports.inc({ protocol, outcome }, heard[outcome]);
      connections.set({ protocol }, listener.connections());
      for (const [reason, count] of Object.entries(watch?.rejections.counts() ?? {}))
        rejections.inc({ protocol, reason }, count);
    }
    // Nanoseconds; none were measured right after a reading.
    for (const quantile of quantiles) {
      const delay_ns = delay.percentile(quantile * 100);
      loopDelay.set({ quantile }, Number.isFinite(delay_ns) ? delay_ns / 1e9 : 0);
    }
    delay.reset();
    memory.set(process.memoryUsage.rss());
    streams.set(sources.streams());
    for (const [queue, size] of Object.entries(sources.queues)) queues.set({ queue }, size());
    for (const code of Object.keys(troubleCodes) as TroubleCode[])
      health.set({ code }, sources.has(code) ? 1 : 0);
    return registry.metrics();
  }

  let last: { at_ms: number; text: Promise<string> } | null = null;

  return {
    contentType: registry.contentType,
    /** A write of the store has ended. */
    onWrite: (ms: number): void => commits.observe(ms / 1_000),
    /** A request was answered. */
    onReply: (status: number): void => replies.inc({ status: String(status) }),
    text(sources: MetricSources): Promise<string> {
      const now = clock.monotonic();
      if (last === null || now - last.at_ms >= keptMs) last = { at_ms: now, text: read(sources) };
      return last.text;
    },
    close(): void {
      delay.disable();
      registry.clear();
    },
  };
}
