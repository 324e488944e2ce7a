import { videoRoutes } from '../contract/video.ts';
import type { Api } from '../http/api.ts';
import { hangUpOf } from '../http/hangUp.ts';
import { paginate } from '../http/pagination.ts';
import type { Profiles } from './profiles.ts';
import type { AskRecordings } from './recordings.ts';

export interface ProfileRouteDeps {
  profiles: Profiles;
  askRecordings: AskRecordings;
  /** Ends all waiting when the host ends. */
  closing: AbortSignal;
}

export function addProfileRoutes(api: Api, { profiles, askRecordings, closing }: ProfileRouteDeps): void {
  api.handle(videoRoutes.profiles, ({ query, viewer }) => {
    if (query.terminal_id !== undefined) {
      return profiles.present(profiles.findByTerminal(query.terminal_id, viewer));
    }
    const { items, next_cursor } = paginate(
      profiles.visible(viewer),
      (it) => [it.created_at, it.profile_id],
      query,
    );
    return { items: items.map((it) => profiles.present(it)), next_cursor };
  });

  api.handle(videoRoutes.createProfile, async ({ body, viewer, response }) => {
    const profile = await profiles.add(body, viewer);
    response.set('Location', `/service/vsvc/api/profiles/${profile.profile_id}`);
    return profiles.present(profile);
  });

  api.handle(videoRoutes.getProfile, ({ params, viewer }) =>
    profiles.present(profiles.find(params.profile_id, viewer)),
  );

  api.handle(videoRoutes.patchProfile, async ({ params, body, viewer, ifMatch }) =>
    profiles.present(await profiles.patch(params.profile_id, body, viewer, ifMatch)),
  );

  api.handle(videoRoutes.recordings, async ({ params, query, viewer, response }) => {
    const profile = profiles.find(params.profile_id, viewer);
    return askRecordings(profile, query, AbortSignal.any([closing, hangUpOf(response)]));
  });

  api.handle(videoRoutes.removeProfile, async ({ params, viewer, ifMatch }) => {
    const { profile_id } = profiles.find(params.profile_id, viewer);
    await profiles.remove(profile_id, ifMatch);
  });
}
