import type { StoreApi } from 'zustand/vanilla';
import type { Task } from '../../server/contract/video.ts';

/** A moment of a vehicle whose pictures are wanted. */
export interface VideoMoment {
  vehicle_id: string;
  /** RFC 3339, UTC. */
  at: string;
  /** The event that it is about; null for a moment that the operator chose. */
  event_id: string | null;
}

/** What the queue and the vehicle panel need of the video domain. */
export interface VideoContext {
  /** Tasks by their id, as the stream sends them. */
  tasks: Pick<StoreApi<{ byId: ReadonlyMap<string, Task> }>, 'getState' | 'getInitialState' | 'subscribe'>;
  /** Keeps the tasks of events known, however old they are. Returns its undo. */
  watchEvents(eventIds: readonly string[]): () => void;
  /** The vehicles that have cameras, as far as they were read. */
  cameras: Pick<
    StoreApi<{ byVehicle: ReadonlyMap<string, unknown> }>,
    'getState' | 'getInitialState' | 'subscribe'
  >;
  /** Reads them, once. */
  wantCameras(): void;
  /** Whether this user may order videos, and do something to those that were ordered. */
  mayOrder: boolean;
  /**
   * Orders the moment on every channel of the vehicle, with the seconds before and after of the settings.
   * Throws ApiProblem (`not_found` where the vehicle has no cameras) and Unreachable.
   */
  orderVideo(moment: VideoMoment): Promise<void>;
  /** Opens the player on a task that is done. */
  play(taskId: string): void;
}
