/** What the parts of the Video screen can do while they are shown; `pressed` is the shortcut that was used. */
export type VideoControls = {
  [Name in VideoControl]?: ((pressed: string) => void) | undefined;
};

export type VideoControl =
  | 'play'
  | 'frame'
  | 'event'
  | 'rate'
  | 'channel'
  | 'mark'
  | 'snapshot'
  | 'snapshot_all'
  | 'request'
  | 'queue'
  | 'retry'
  | 'cancel'
  | 'important'
  | 'export';

/** Joins what the parts of the Video screen offer, so that commands find it. */
export function createVideoControls() {
  const offered = new Set<VideoControls>();
  return {
    /** Returns its undo. */
    offer(controls: VideoControls): () => void {
      offered.add(controls);
      return () => offered.delete(controls);
    },
    find(name: VideoControl): ((pressed: string) => void) | undefined {
      for (const controls of offered) if (controls[name] !== undefined) return controls[name];
      return undefined;
    },
  };
}
