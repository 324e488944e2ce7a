import { terminalKey } from '../../contract/sameKeys.ts';
import { standardLimits, type DepotLimits, type IntakeLimits, type IntakeDeps } from './protocolHandler.ts';
import { createListenerMonitor, type RejectReason, type Rejections } from './rejections.ts';
import type { MessageLog, RecordedMessage } from './messageLog.ts';
import { createLogRateLimit, type LogRateLimit } from './logRateLimit.ts';
import type { Listener } from './listener.ts';

/** What all connections and datagrams of one listener have in common. */
export interface ListenerContext extends Omit<IntakeDeps, 'limits' | 'watch'> {
  limits: Omit<IntakeLimits, keyof DepotLimits>;
  depotLimits: () => DepotLimits;
  record: RecordedMessage;
  rejections: Rejections;
  work: Backlog;
  newest: ConnectionTakeover;
  /**
   * Limits the lines about messages not processed because of an error of this server: anyone who can reach the listener
   * may know how to cause it.
   */
  errorLogLimit: LogRateLimit;
}

/** A listener, and what it records of its connections. */
export interface MonitoredListener extends Listener {
  readonly messages: MessageLog;
  /** Connections that this side ended, and datagrams that it left alone, since the start. */
  rejections(): Readonly<Record<RejectReason, number>>;
}

/** @param listener where they come in; by TCP, when there is one for datagrams beside it */
export function withMonitoring(
  listener: Listener,
  { record, rejections }: ListenerContext,
): MonitoredListener {
  return { ...listener, messages: record, rejections: () => rejections.counts() };
}

export function createListenerContext(name: string, deps: IntakeDeps): ListenerContext {
  const { record, rejections } = deps.watch ?? createListenerMonitor(name, deps);
  const limits = { ...standardLimits, ...deps.limits };
  return {
    ...deps,
    limits,
    depotLimits: deps.depotLimits ?? (() => limits),
    record,
    rejections,
    work: createBacklog(limits.maxPendingReports),
    newest: createConnectionTakeover(),
    errorLogLimit: createLogRateLimit(deps.clock),
  };
}

/** How many reports of one listener wait for the store, and which connections wait until there are fewer. */
export type Backlog = ReturnType<typeof createBacklog>;

export function createBacklog(max: number) {
  const waiting = new Set<() => void>();
  let size = 0;
  const isFull = () => size >= max;

  function wake(): void {
    // Those that wait have waited in this order; one that fills the backlog again leaves the others waiting.
    for (const call of waiting) {
      if (isFull()) return;
      waiting.delete(call);
      call();
    }
  }

  return {
    isFull,
    /** Returns what takes them off again. */
    add(reports: number): () => void {
      size += reports;
      return () => {
        size -= reports;
        wake();
      };
    },
    /** Calls once, as soon as it is not full; each caller once, however often it asks. */
    wait: (call: () => void): void => void waiting.add(call),
    /** Who waited does not any more. */
    forget: (call: () => void): void => void waiting.delete(call),
    /** Reports that wait for the store. */
    size: (): number => size,
  };
}

/**
 * The latest connection of each terminal of a listener. A mobile network that was lost leaves the earlier one
 * behind half open for minutes: it would take a connection's place, and answers and commands would go into the void.
 */
export type ConnectionTakeover = ReturnType<typeof createConnectionTakeover>;

export function createConnectionTakeover() {
  const newest = new Map<string, { end: () => void }>();
  return {
    /**
     * A terminal speaks by this connection from now on; its earlier one is ended, and what was not answered there comes
     * again. Returns what gives the place up.
     *
     * @param end ends the connection at once
     */
    take(terminalId: string, end: () => void): () => void {
      const key = terminalKey(terminalId);
      const before = newest.get(key);
      const one = { end };
      newest.set(key, one);
      before?.end();
      return () => {
        if (newest.get(key) === one) newest.delete(key);
      };
    },
  };
}
