import { useEffect, useMemo, useState, type SyntheticEvent } from 'react';
import { CheckboxButton, CheckboxField } from 'react-aria-components';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import { useAction } from '../../resources/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Select.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { Modal, ModalFooter } from '../../ui/Modal.tsx';
import type { VideoRequestInput } from '../createVideoRequest.ts';
import type { Orderable } from '../player/DayBar.tsx';
import { useVideo } from '../useVideo.ts';
import { dateField, timeField } from '../../format/depotMoment.ts';
import { RecordingsField } from '../recordings/RecordingsField.tsx';
import type { Window } from '../recordings/stretches.ts';
import { WhenFields } from './WhenFields.tsx';
import { readOrderForm, spanOf } from './orderForm.ts';
import './OrderDialog.css';

const MINUTE_MS = 60_000;

export interface OrderDialogProps {
  /** What is filled in first; null: the first vehicle, around now. */
  initial: { vehicleId: string; from: number; to: number; eventId: string | null } | null;
  onClose: () => void;
  /** Called with a task of the request that was made. */
  onOrdered: (taskId: string) => void;
}

/** Orders video of a vehicle: which channels, around now or a span of time. */
export function OrderDialog({ initial, onClose, onOrdered }: OrderDialogProps) {
  const app = useAppContext();
  const video = useVideo();
  const t = useT();
  const { numbers, time } = useStore(app.settings);
  const { byVehicle, isWhole } = useStore(video.profiles.store);
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const [first] = useState(
    () => initial ?? { from: app.serverTime.now() - 2 * MINUTE_MS, to: app.serverTime.now() - MINUTE_MS },
  );
  const [chosen, setChosen] = useState(initial?.vehicleId ?? null);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [when, setWhen] = useState<'around' | 'span'>(initial === null ? 'around' : 'span');
  const [date, setDate] = useState(() => dateField(first.from, time.timeZone));
  const [from, setFrom] = useState(() => timeField(first.from, time.timeZone));
  const [to, setTo] = useState(() => timeField(first.to, time.timeZone));
  const { busy, faults, sentence, run, show } = useAction();
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    void video.profiles.readAll().catch(() => setFailed(true));
  }, [video]);

  const options = useMemo(
    () =>
      [...byVehicle.keys()]
        .flatMap((id) => {
          const vehicle = vehicles.get(id);
          return vehicle === undefined ? [] : [{ id, label: vehicle.name }];
        })
        .sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true })),
    [byVehicle, vehicles],
  );
  // Never another vehicle than the one that is asked for; without one, the first, which then stays.
  if (chosen === null && isWhole && options[0] !== undefined) setChosen(options[0].id);
  const profile = byVehicle.get(chosen ?? '');
  const channels = profile?.channels.filter((it) => !left.has(it.channel)) ?? [];

  const around = useMemo(() => {
    const now = app.serverTime.now();
    return { from: now - numbers.video_before_s * 1_000, to: now + numbers.video_after_s * 1_000 };
  }, [app, numbers]);
  const typed = useMemo(() => spanOf({ date, from, to }, time.timeZone), [date, from, to, time]);
  const filter = when === 'around' ? around : 'span' in typed ? typed.span : null;
  const setFilter = (span: Window) => {
    setWhen('span');
    show({ sentence });
    setDate(dateField(span.from, time.timeZone));
    setFrom(timeField(span.from, time.timeZone));
    setTo(timeField(span.to, time.timeZone));
  };

  const order = async () => {
    if (profile === undefined) return;
    const read = readOrderForm(
      {
        profile,
        channels: new Set(channels.map((it) => it.channel)),
        when,
        date,
        from,
        to,
        eventId: profile.vehicle_id === initial?.vehicleId && when === 'span' ? initial.eventId : null,
      },
      {
        timeZone: time.timeZone,
        now: app.serverTime.now(),
        before_s: numbers.video_before_s,
        after_s: numbers.video_after_s,
        max_s: numbers.video_max_s,
      },
      t,
    );
    if ('faults' in read) {
      show({ faults: read.faults });
      return;
    }
    await run(async () => {
      const { tasks, refused } = await video.orderRange(ofEvent(read.filter, initial));
      const [task] = tasks;
      if (task !== undefined) onOrdered(task.task_id);
      if (refused.length === 0) onClose();
      else {
        const reason = sentenceOf(refused[0]?.error, t) ?? '';
        show({ sentence: t('video_request.partly', { count: refused.length, reason }) });
      }
    });
  };

  if (profile === undefined) {
    return (
      <Modal title={t('video_request.title')} onClose={onClose}>
        <p role="status">
          {hasFailed
            ? t('video_request.cameras_failed')
            : isWhole
              ? t('video_request.cameras_none')
              : t('video_request.cameras_reading')}
        </p>
      </Modal>
    );
  }
  return (
    <Modal title={t('video_request.title')} onClose={onClose} width={640}>
      <form
        className="form-column"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          void order();
        }}
      >
        <Choice
          label={t('video_request.vehicle')}
          value={profile.vehicle_id}
          options={options}
          onChange={(id) => {
            setChosen(id);
            setLeft(new Set());
          }}
        />
        <fieldset className="video-request-form__channels">
          <legend className="field__label">{t('video_request.channels')}</legend>
          {profile.channels.map(({ channel, name }) => (
            <CheckboxField
              key={channel}
              isSelected={!left.has(channel)}
              onChange={(isOn) => {
                const next = new Set(left);
                if (isOn) next.delete(channel);
                else next.add(channel);
                setLeft(next);
              }}
            >
              <CheckboxButton className="check">
                <span className="check__box" aria-hidden />
                {channel} {name}
              </CheckboxButton>
            </CheckboxField>
          ))}
        </fieldset>
        <WhenFields
          when={when}
          onWhen={setWhen}
          span={{ date, from, to }}
          onSpan={{ date: setDate, from: setFrom, to: setTo }}
          faults={faults}
        />
        <RecordingsField
          key={profile.profile_id}
          profile={profile}
          filter={filter}
          onFilterChange={setFilter}
          maxMs={numbers.video_max_s * 1_000}
        />
        <ModalFooter sentence={sentence} onCancel={onClose}>
          <Button kind="primary" submits disabled={busy || channels.length === 0}>
            {t('video_request.order', { count: channels.length })}
          </Button>
        </ModalFooter>
      </form>
    </Modal>
  );
}

/** What lies wholly elsewhere than the event's own span is not the event's video. */
function ofEvent(filter: VideoRequestInput, initial: Orderable | null): VideoRequestInput {
  const isElsewhere = initial !== null && (filter.to <= initial.from || filter.from >= initial.to);
  return isElsewhere ? { ...filter, eventId: null } : filter;
}
