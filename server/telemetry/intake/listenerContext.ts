import { standardLimits, type DepotLimits, type IntakeLimits, type IntakeDeps } from './protocolHandler.ts';
import { createListenerMonitor } from './listenerMonitor.ts';
import type { MessageLog, RecordedMessage } from './messageLog.ts';
import { createLogRateLimit, type LogRateLimit } from './logRateLimit.ts';
import type { Listener } from './listener.ts';
import { createConnectionTakeover, type ConnectionTakeover } from './connectionTakeover.ts';
import type { RejectReason, Rejections } from './rejections.ts';
import { createBacklog, type Backlog } from './backlog.ts';

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
