import type { IncomingMessage } from 'node:http';
import type { ProblemCode } from '../contract/problem.ts';
import type { Viewer } from './viewer.ts';

/**
 * Who a request comes from. `live`: a genuine, unexpired JWT of a live session. `expired`: genuine, of a live session,
 * past its `exp`. `stranger`: everything else, with the code that a call which needs a JWT is answered.
 */
export type Caller =
  | { kind: 'live'; viewer: Viewer }
  | { kind: 'expired'; userId: string }
  | { kind: 'stranger'; code: ProblemCode; detail: string };

/** Identifies a request's caller; the authorization domain builds it. */
export type Identify = (request: IncomingMessage) => Promise<Caller>;
