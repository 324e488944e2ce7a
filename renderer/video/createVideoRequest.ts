import { videoRoutes, type Task } from '../../server/contract/video.ts';
import { type Api, newIdempotencyKey } from '../api/client.ts';
import { Unreachable } from '../api/errors.ts';

/** A span of time on some channels of a vehicle; milliseconds since 1970. */
export interface VideoRequestInput {
  profileId: string;
  channels: readonly number[];
  from: number;
  to: number;
  eventId: string | null;
}

export interface VideoRequestResult {
  /** One of each channel: what brings its first pictures. */
  tasks: readonly Task[];
  /** Channels that could not be ordered, and why. */
  refused: readonly { channel: number; error: unknown }[];
}

/**
 * Orders each channel: pictures in seconds where the terminal has small ones, and the full quality after them. A call
 * whose answer was lost is made once more under the same Idempotency-Key, so that nothing is ordered twice.
 * Throws the first channel's error (ApiProblem, Unreachable) when no channel was ordered.
 */
export async function createVideoRequest(api: Api, filter: VideoRequestInput): Promise<VideoRequestResult> {
  const orderKey = newIdempotencyKey();
  const answers = await Promise.allSettled(
    filter.channels.map((channel) => {
      const send = () =>
        api.request(videoRoutes.createTask, {
          body: {
            profile_id: filter.profileId,
            channel,
            from: new Date(filter.from).toISOString(),
            to: new Date(filter.to).toISOString(),
            event_id: filter.eventId,
            sub_stream_first: true,
          },
          idempotencyKey: `${orderKey}-${channel}`,
        });
      return send().catch((error: unknown) => {
        if (error instanceof Unreachable) return send();
        throw error;
      });
    }),
  );
  const tasks: Task[] = [];
  const refused: { channel: number; error: unknown }[] = [];
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') tasks.push(answer.value);
    else refused.push({ channel: filter.channels[index] ?? 0, error: answer.reason });
  }
  const first = refused[0];
  if (tasks.length === 0 && first !== undefined) throw first.error;
  return { tasks, refused };
}

/** The span around a moment; one whose beginning would lie ahead begins now. Milliseconds and seconds. */
export function spanAround(
  at: number,
  { before_s, after_s }: { before_s: number; after_s: number },
  now: number,
): { from: number; to: number } {
  return { from: Math.min(at, now) - before_s * 1_000, to: at + after_s * 1_000 };
}
