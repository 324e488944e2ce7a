import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { maxVehiclesOfOrder, videoRoutes } from '../../../server/contract/video.ts';
import type { Profile } from '../../../server/contract/videoProfiles.ts';
import { newIdempotencyKey } from '../../api/client.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { dateField, timeField } from '../../format/depotMoment.ts';
import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { BulkDialog } from '../../resources/BulkDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { ModalFooter } from '../../ui/Modal.tsx';
import { Choice } from '../../ui/Select.tsx';
import { spanOf } from '../../video/requests/orderForm.ts';
import { WhenFields } from '../../video/requests/WhenFields.tsx';
import { useVideo } from '../../video/useVideo.ts';
import { bulkJobs, type BulkVehicleProps, failuresOf, nameOfVehicle } from './bulkVehicles.ts';

/** Unfinished requests that a user may have (server/video/newTasks.ts). */
const MOST_CLIPS = 1_000;
/** Names that are read at a glance. */
const NAMED = 20;
const ALL = 'all';

/** Requests clips of one span from many vehicles; those without cameras are named before. */
export function BulkVideoDialog({ ids, onClose }: BulkVehicleProps) {
  const app = useAppContext();
  const video = useVideo();
  const t = useT();
  const { numbers, time } = useStore(app.settings);
  const { byVehicle, isWhole } = useStore(video.profiles.store);
  const [openedAt] = useState(() => app.serverTime.now());
  const [when, setWhen] = useState<'around' | 'span'>('around');
  const [channel, setChannel] = useState<string>(ALL);
  const [date, setDate] = useState(() => dateField(openedAt, time.timeZone));
  const [from, setFrom] = useState(() => timeField(openedAt - 120_000, time.timeZone));
  const [to, setTo] = useState(() => timeField(openedAt - 60_000, time.timeZone));
  const [key] = useState(newIdempotencyKey);
  useEffect(() => video.profiles.want(), [video]);

  const plan = useMemo(
    () => clipsOf(ids, byVehicle, channel === ALL ? null : Number(channel)),
    [ids, byVehicle, channel],
  );
  const typed = spanOf({ date, from, to }, time.timeZone);
  const span =
    when === 'span'
      ? 'span' in typed
        ? typed.span
        : null
      : { from: openedAt - numbers.video_before_s * 1_000, to: openedAt + numbers.video_after_s * 1_000 };
  const tooMany = plan.clips > MOST_CLIPS;

  return (
    <BulkDialog title={t('picked.video_title', { count: ids.length })} onClose={onClose}>
      {(start) => (
        <>
          <WhenFields
            when={when}
            onWhen={setWhen}
            span={{ date, from, to }}
            onSpan={{ date: setDate, from: setFrom, to: setTo }}
            faults={Object.fromEntries(
              'faults' in typed
                ? typed.faults.map((field) => [
                    field,
                    t(field === 'date' ? 'video_request.date_wrong' : 'video_request.time_wrong'),
                  ])
                : [],
            )}
          />
          <Choice
            label={t('picked.channels')}
            value={channel}
            onChange={setChannel}
            options={[
              { id: ALL, label: t('picked.channels_all') },
              ...plan.channels.map(([id, name]) => ({ id: String(id), label: `${id} ${name}` })),
            ]}
          />
          <div className="bulk-counts" role="status">
            {!isWhole ? (
              <p className="quiet">{t('picked.reading_cameras')}</p>
            ) : plan.filmed.length === 0 ? (
              <p>{t('picked.none_with_cameras')}</p>
            ) : tooMany ? (
              <p>{t('picked.clips_too_many', { count: plan.clips, most: formatNumber(MOST_CLIPS) })}</p>
            ) : (
              <p>
                {t('picked.clips_counted', {
                  count: plan.clips,
                  vehicles: t('picked.vehicles', { count: plan.filmed.length }),
                })}
              </p>
            )}
            {isWhole && plan.without.length > 0 && (
              <p className="quiet">
                {t('picked.without_cameras', {
                  names: plan.without
                    .slice(0, NAMED)
                    .map((id) => nameOfVehicle(app, id))
                    .join(', '),
                })}{' '}
                {plan.without.length > NAMED && t('bulk.more', { count: plan.without.length - NAMED })}
              </p>
            )}
          </div>
          <ModalFooter onCancel={onClose}>
            <Button
              kind="primary"
              disabled={span === null || !isWhole || tooMany || plan.clips === 0}
              onPress={() => {
                if (span === null) return;
                start(
                  clipJobs(app, plan.filmed, {
                    ...span,
                    channel: channel === ALL ? null : Number(channel),
                    key,
                  }),
                );
              }}
            >
              {t('picked.request', { count: plan.clips })}
            </Button>
          </ModalFooter>
        </>
      )}
    </BulkDialog>
  );
}

/** Requests clips of one span from vehicles. */
export function clipJobs(
  app: Parameters<typeof bulkJobs>[0] & Pick<AppContext, 'api'>,
  filmed: readonly string[],
  { from, to, channel, key }: { from: number; to: number; channel: number | null; key: string },
) {
  return bulkJobs(
    app,
    filmed,
    async (vehicle_ids) => {
      const result = await app.api.request(videoRoutes.createTasks, {
        body: {
          vehicle_ids,
          channels: channel === null ? null : [channel],
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          sub_stream_first: true,
        },
        idempotencyKey: `${key}-${filmed.indexOf(vehicle_ids[0] ?? '')}`,
      });
      return failuresOf(app, result, result.without_cameras);
    },
    maxVehiclesOfOrder,
  );
}

/**
 * Who has cameras, who has none, and how many clips that makes.
 *
 * @param channel the one that is asked for; null: all
 */
export function clipsOf(
  ids: readonly string[],
  byVehicle: ReadonlyMap<string, Pick<Profile, 'channels'>>,
  channel: number | null,
) {
  const filmed: string[] = [];
  const without: string[] = [];
  const names = new Map<number, string>();
  let clips = 0;
  for (const id of ids) {
    const all = byVehicle.get(id)?.channels ?? [];
    for (const it of all) if (!names.has(it.channel)) names.set(it.channel, it.name);
    const own = all.filter((it) => channel === null || it.channel === channel);
    clips += own.length;
    if (own.length > 0) filmed.push(id);
    else without.push(id);
  }
  return { filmed, without, clips, channels: [...names].sort(([a], [b]) => a - b) };
}
