import type { Task } from '../../../server/contract/video.ts';
import { isUnderWay } from '../requests/qualities.ts';

export const QUEUE_STATES = [
  'all',
  'under_way',
  'waiting',
  'done',
  'failed',
  'cancelled',
  'expired',
] as const;
export type QueueState = (typeof QUEUE_STATES)[number];
export const QUEUE_ASKERS = ['all', 'me', 'rules'] as const;
export type QueueAsker = (typeof QUEUE_ASKERS)[number];

/** Which tasks are shown, as the address names it. */
export interface QueueFilter {
  state: QueueState;
  vehicleId: string | null;
  asker: QueueAsker;
  important: boolean;
}

export const EVERY_TASK: QueueFilter = { state: 'all', vehicleId: null, asker: 'all', important: false };

/** Words that nobody knows are left out: an address may have been cut on its way. */
export function readQueueFilter(query: Readonly<Record<string, string>>): QueueFilter {
  return {
    state: QUEUE_STATES.find((it) => it === query['state']) ?? 'all',
    vehicleId: query['vehicle'] ?? null,
    asker: QUEUE_ASKERS.find((it) => it === query['asker']) ?? 'all',
    important: query['important'] === '1',
  };
}

/** The words of the address; null takes one out. What is the default is not named. */
export function writeQueueFilter(filter: QueueFilter): Record<string, string | null> {
  return {
    state: filter.state === 'all' ? null : filter.state,
    vehicle: filter.vehicleId,
    asker: filter.asker === 'all' ? null : filter.asker,
    important: filter.important ? '1' : null,
  };
}

/** Stands in `created_by` of what the depot's own rules ordered. */
export const DEPOT_USER = '00000000-0000-0000-0000-000000000000';

/** Whether a rule ordered it by itself: of early ones only the depot is known. */
export const isOfRule = (task: Pick<Task, 'created_by' | 'rule_id'>): boolean =>
  task.rule_id !== null || task.created_by === DEPOT_USER;

export function isRequested(task: Task, filter: QueueFilter, userId: string): boolean {
  return (
    isInState(task, filter.state) &&
    (filter.vehicleId === null || task.vehicle_id === filter.vehicleId) &&
    isAskedBy(task, filter.asker, userId) &&
    (!filter.important || task.important)
  );
}

function isAskedBy(task: Task, asker: QueueAsker, userId: string): boolean {
  if (asker === 'all') return true;
  return asker === 'rules' ? isOfRule(task) : !isOfRule(task) && task.created_by === userId;
}

function isInState(task: Task, state: QueueState): boolean {
  if (state === 'all') return true;
  return state === 'under_way' ? isUnderWay(task) : task.status === state;
}
