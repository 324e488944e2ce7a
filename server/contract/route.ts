import type { z } from 'zod';
import type { ProblemCode } from './problem.ts';
import type { RightLevel, RightName } from './rights.ts';

/** Who may call: anybody, any live user, a dealer, or a user with a right. */
export type Access = 'anybody' | 'user' | 'dealer' | { right: RightName; level: Exclude<RightLevel, 'none'> };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What an answer that is not JSON is. */
export interface Bytes {
  contentTypes: readonly string[];
  /** What `application/json` among them holds; `application/geo+json` is a FeatureCollection. */
  json?: z.ZodType;
  /** Also answers 204 where there is none, and 304 to who has it. */
  tiles?: true;
}

/** A body that is bytes; `isWhole`: the handler is given all of it. */
interface BytesBody {
  contentType: string;
  most: number;
  isWhole?: true;
}

/** The headings of the OpenAPI document. */
export const tags: Readonly<Record<string, string>> = {
  Authorization: 'Log in, refresh a JWT, log out',
  'API tokens': 'JWTs for programs, which act as their owner within limits',
  Users: 'Users, their rights, groups and sessions',
  Groups: 'Groups of vehicles, and who has access to them',
  Vehicles: 'Vehicle profiles, and commands to their terminals',
  Telemetry: 'Positions, tracks and the stream of changes',
  Drivers: 'Drivers, and their assignments to vehicles',
  Geozones: 'Geofences: areas and corridors that vehicles enter and leave',
  'Notification rules': 'What raises a notification, and how',
  Notifications: 'The queue of notifications, snoozes, channels and recipients',
  Shifts: 'Who is on duty, handovers, and what happened in a shift',
  Incidents: 'Who handles an alarm, what was done, and what belongs to it',
  Events: 'What happened to vehicles, as recorded',
  History: 'Tracks, and the whole fleet at a past instant',
  Reports: 'Trips, stops, visits and sums over a period',
  Video: 'Video profiles of terminals, and requests of clips',
  Maps: 'Map files, and the tiles that are drawn from them',
  Audit: 'Who changed and exported what',
  Service: 'Settings, health and terminal connections',
};

type Shape = z.ZodType | undefined;

/** One operation of the API: the server handles this constant, the console requests it, OpenAPI is made from it. */
export interface Route<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Reply extends Shape = Shape,
> {
  /** The operation's name in OpenAPI, unique. */
  id: string;
  /** The heading in OpenAPI, one of `tags`. */
  tag: string;
  method: Method;
  /** With parameters in braces, as in OpenAPI. */
  path: string;
  summary: string;
  access: Access;
  params: Params;
  query: Query;
  body: Body;
  reply: Reply;
  /** A second right that the caller needs, since the answer shows what it guards. */
  alsoNeeds?: Extract<Access, object>;
  /** The status of success. */
  status: 200 | 201 | 204;
  /** Other statuses with which the same reply is sent. */
  otherStatuses?: readonly 503[];
  /** Set when success answers something other than JSON. */
  bytes?: Bytes;
  /** Its answers leave the product as files, but for those in the format `json`: the audit log has them. */
  exports?: true;
  /** What this operation answers beyond the errors that every operation can give. */
  errors: readonly ProblemCode[];
  /** Takes `Idempotency-Key`. */
  idempotent?: boolean;
  /** Takes `If-Match`. */
  versioned?: boolean;
  /** Shows what a link shows: the token of the link comes in `Share-Token`, since logs hold paths. */
  byLink?: true;
  /** The largest body taken, in bytes; 1 MiB when left out. */
  bodyLimit?: number;
  /** Content types that are taken as text beside JSON. */
  alsoTakes?: readonly string[];
  /** The body is bytes of one type, `most` at once, which the handler reads from the request itself unless `isWhole`. */
  bytesBody?: BytesBody;
  /** JSON too is handed on as text: it is long, and read in a thread. */
  jsonAsText?: boolean;
  /** A body is let pass unread: clients that were written for the given part may send one. */
  ignoresBody?: boolean;
}

interface RouteDefinition<P extends Shape, Q extends Shape, B extends Shape, R extends Shape> {
  id: string;
  tag: string;
  method: Method;
  path: string;
  summary: string;
  access: Access;
  alsoNeeds?: Extract<Access, object>;
  params?: P;
  query?: Q;
  body?: B;
  reply?: R;
  status?: 200 | 201 | 204;
  otherStatuses?: readonly 503[];
  bytes?: Bytes;
  exports?: true;
  errors?: readonly ProblemCode[];
  idempotent?: boolean;
  versioned?: boolean;
  byLink?: true;
  bodyLimit?: number;
  alsoTakes?: readonly string[];
  bytesBody?: BytesBody;
  jsonAsText?: boolean;
  ignoresBody?: boolean;
}

export function route<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  R extends Shape = undefined,
>(definition: RouteDefinition<P, Q, B, R>): Route<P, Q, B, R> {
  return {
    ...definition,
    params: definition.params as P,
    query: definition.query as Q,
    body: definition.body as B,
    reply: definition.reply as R,
    status:
      definition.status ?? (definition.reply === undefined && definition.bytes === undefined ? 204 : 200),
    errors: definition.errors ?? [],
  };
}

type Out<T> = T extends z.ZodType ? z.output<T> : undefined;
type In<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What a handler is given and must give back. */
export type ParamsOf<T extends Route> = Out<T['params']>;
export type QueryOf<T extends Route> = Out<T['query']>;
export type BodyOf<T extends Route> = Out<T['body']>;
export type ReplyOf<T extends Route> = Out<T['reply']>;

/** What a caller must send. */
export type ParamsFor<T extends Route> = In<T['params']>;
export type QueryFor<T extends Route> = In<T['query']>;
export type BodyFor<T extends Route> = In<T['body']>;
