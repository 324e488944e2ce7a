import { ApiError } from '../http/apiError.ts';

/** How many streams may be open at once. */
export interface StreamLimits {
  /** A browser has one, for all its pages. Beyond, the oldest of the session is closed. */
  perSession: number;
  /** Browsers and tools of one user together. */
  perUser: number;
  /** An office behind one address; on the depot's own machine all users come from one. */
  perAddress: number;
  inAll: number;
}

export const standardStreamLimits: StreamLimits = {
  perSession: 8,
  perUser: 24,
  perAddress: 500,
  inAll: 1_000,
};

/** Whose a stream is. */
export interface StreamOwner {
  sessionId: string;
  userId: string;
  address: string;
}

const retryAfterS = 10;

/**
 * Whether one more stream may open, and which one is closed for it; null: none. Throws 429 when it may not.
 *
 * A session's own oldest stream gives way, since a client whose connection was lost half-way comes back at once, long
 * before this side knows that the old one is dead. Where an address or the host is full, the user with the most streams
 * gives one up for a user who has fewer: nobody shuts the others out.
 *
 * @param open those that are open, the oldest first
 * @param isUnread whether a stream's client does not read
 */
export function streamToClose<Stream extends { owner: StreamOwner }>(
  open: readonly Stream[],
  newcomer: StreamOwner,
  limits: StreamLimits,
  isUnread: (stream: Stream) => boolean,
): Stream | null {
  const { sessionId, userId, address } = newcomer;
  const ofSession = open.filter(({ owner }) => owner.sessionId === sessionId);
  if (ofSession.length >= limits.perSession) return ofSession[0] ?? null;

  const ofUser = open.filter(({ owner }) => owner.userId === userId);
  if (ofUser.length >= limits.perUser) {
    const unread = ofUser.find(isUnread);
    if (unread !== undefined) return unread;
    throw refused(
      `Your user has ${ofUser.length} streams open; ${limits.perUser} are the most for one user.`,
    );
  }

  const ofAddress = open.filter(({ owner }) => owner.address === address);
  if (ofAddress.length >= limits.perAddress) {
    const theirs = oldestOfTheMost(ofAddress, userId);
    if (theirs !== null) return theirs;
    throw refused(
      `Your address has ${ofAddress.length} streams open; ${limits.perAddress} are the most for one address.`,
    );
  }
  if (open.length < limits.inAll) return null;
  const theirs = oldestOfTheMost(open, userId);
  if (theirs !== null) return theirs;
  throw refused(`This host has ${open.length} streams open; ${limits.inAll} are the most.`);
}

/** Null unless some user would still have as many as the newcomer's: else the two would close each other's for ever. */
function oldestOfTheMost<Stream extends { owner: StreamOwner }>(
  streams: readonly Stream[],
  newcomer: string,
): Stream | null {
  const byUser = new Map<string, Stream[]>();
  for (const stream of streams) {
    const { userId } = stream.owner;
    byUser.set(userId, [...(byUser.get(userId) ?? []), stream]);
  }
  const [max] = [...byUser.values()].sort((a, b) => b.length - a.length);
  const own = byUser.get(newcomer)?.length ?? 0;
  return max !== undefined && max.length > own + 1 ? (max[0] ?? null) : null;
}

function refused(detail: string): ApiError {
  return new ApiError('too_many_streams', `${detail} Next try in ${retryAfterS} s.`, {
    headers: { 'Retry-After': String(retryAfterS) },
  });
}
