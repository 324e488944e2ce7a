import type { ListenerName } from '../../server/contract/intake.ts';
import type { Route } from '../../server/contract/route.ts';
import type { ApiClient } from '../support/caller.ts';
import type { Depot } from './depot.ts';

/** One request of an attack. A body that is no text is sent as JSON. */
export interface Call {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** What an attack finds before it begins. */
export interface Field {
  url: string;
  intake: Readonly<Record<ListenerName, number | null>>;
  depot: Depot;
  /** A dealer who takes no part in the attack. */
  keeper: ApiClient;
  /** The attacker of an operation; of a public one, a user with no rights. */
  attacker: ApiClient;
  /** Calls of a further user, logged in. */
  login: (name: string) => Promise<ApiClient>;
}

/**
 * The costliest call of an operation that its contract allows, written by somebody who has read its handler. It is sent
 * by the least right that may send it, as often as the limits allow.
 */
export interface OperationAttack {
  /** The operation's name in the contract. */
  operation: string;
  /** Distinguishes several attacks of one operation. */
  variant?: string;
  /** Why it costs, in a few words. */
  does: string;
  /** The contract refuses the call; the cost is in refusing it. */
  refused?: true;
  /** How many calls are under way at a time; many, if left out. */
  connections?: number;
  /** How many calls there are at most, where something is used up by each. */
  max?: number;
  /** Of one that is open to anybody: from how many addresses, and how often from each. */
  addresses?: number;
  perAddress?: number;
  /** The answers are never read. */
  unread?: true;
  /** Makes what is needed and gives the calls; `at` counts them from 0. */
  calls(field: Field): ((at: number) => Call) | Promise<(at: number) => Call>;
}

/** What somebody does who needs no operation of the contract for it. */
export interface InvalidClientsAttack {
  name: string;
  does: string;
  /** Begins; notes what becomes of each attempt. Must end soon after the signal. */
  run(field: Field, note: (outcome: string) => void, signal: AbortSignal): Promise<void>;
}

export type Attack = OperationAttack | InvalidClientsAttack;

export function nameOf(attack: Attack): string {
  if ('name' in attack) return attack.name;
  return attack.variant === undefined ? attack.operation : `${attack.operation}:${attack.variant}`;
}

/** Sends the same each time. */
export const always =
  (call: Call | ((field: Field) => Call)): OperationAttack['calls'] =>
  (field) => {
    const one = typeof call === 'function' ? call(field) : call;
    return () => one;
  };

/** The bodies that a call may bring, as the route reads them; null where the text is a file of another kind. */
export function bodyOf(route: Route, call: Call): unknown {
  if (route.bytesBody !== undefined) return null;
  if (typeof call.body !== 'string') return call.body;
  const type = call.headers?.['Content-Type'] ?? 'application/json';
  return route.alsoTakes?.includes(type) === true ? null : (JSON.parse(call.body) as unknown);
}
