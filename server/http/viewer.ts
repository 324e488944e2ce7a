import type { Cause } from '../contract/causes.ts';
import { causeOf } from '../contract/causeTexts.ts';
import type { User } from '../contract/users.ts';
import { meetsLevel, type RightLevel, type RightName } from '../contract/rights.ts';
import type { Access } from '../contract/route.ts';
import type { IncomingMessage } from 'node:http';
import type { ProblemCode } from '../contract/problem.ts';

/** The user on whose behalf a call is made, as the store knows it at this moment. */
export interface Viewer {
  user: User;
  session_id: string;
  /** When the JWT of this call expires. */
  expires_ms: number;
  /** The JWT is that of a web login. */
  isWeb?: boolean;
  /** Set for a call with an API token: `user` is its owner, cut down to what the token may do. */
  token?: { token_id: string; name: string; isNarrowed: boolean };
}

export function isDealer(viewer: Viewer): boolean {
  return viewer.user.role === 'dealer';
}

export function holds(viewer: Viewer, right: RightName, level: RightLevel): boolean {
  return isDealer(viewer) || meetsLevel(viewer.user.rights[right], level);
}

/** Whether the viewer's groups reach something that lies in these groups. */
export function sharesGroup(viewer: Viewer, groupIds: readonly string[]): boolean {
  return isDealer(viewer) || groupIds.some((id) => viewer.user.group_ids.includes(id));
}

/**
 * Whether the viewer may know that there is this user: itself, dealers, and whoever shares a group with it. Customers of
 * one depot know nothing of each other.
 */
export function knows(
  viewer: Viewer,
  user: { user_id: string; role: User['role']; group_ids: readonly string[] },
): boolean {
  return (
    user.role === 'dealer' || user.user_id === viewer.user.user_id || sharesGroup(viewer, user.group_ids)
  );
}

/** The same without the groups that the viewer is not in: what else holds it is not the viewer's to know. */
export function withOwnGroups<T extends { group_ids: string[] }>(item: T, viewer: Viewer): T {
  if (isDealer(viewer)) return item;
  const group_ids = item.group_ids.filter((id) => viewer.user.group_ids.includes(id));
  return group_ids.length === item.group_ids.length ? item : { ...item, group_ids };
}

/** What is missing for a call; null when nothing is. */
export function missingRight(viewer: Viewer, access: Access): Cause | null {
  if (access === 'anybody' || access === 'user' || isDealer(viewer)) return null;
  if (access === 'dealer') return causeOf('right.dealer');
  return holds(viewer, access.right, access.level)
    ? null
    : causeOf('right.missing', { right: `${access.right}:${access.level}` });
}

/**
 * Who a request comes from. `live`: a genuine, unexpired JWT of a live session. `expired`: genuine, of a live session,
 * past its `exp`. `stranger`: everything else, with the code that a call which needs a JWT is answered.
 */
export type Caller =
  | { kind: 'live'; viewer: Viewer }
  | { kind: 'expired'; userId: string; detail: string }
  | { kind: 'stranger'; code: ProblemCode; detail: string };

/** Identifies a request's caller; the authorization domain builds it. */
export type Identify = (request: IncomingMessage) => Promise<Caller>;
