import { useCallback, useState } from 'react';
import type { UpdateSettings, UpdateState } from '../../electron/bridge/channels.ts';
import { asSentence } from '../connections/remoteHost.ts';
import { useT } from '../i18n/useT.ts';
import type { Translate } from '../i18n/text.ts';
import type { ProgramUpdates } from '../platform/platform.ts';
import { useAction } from '../resources/useAction.ts';
import { usePolling } from '../resources/useReread.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { detailText } from '../ui/formFaults.ts';
import { TimeOfDay } from '../ui/Moment.tsx';
import { Choice } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Toggle } from '../ui/Toggle.tsx';

/** The shell says nothing by itself: a download moves. */
const AGAIN_MS = 2_000;
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  id: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

/** Where updates of the desktop come from, what has come, and its installation. */
export function UpdateSettingsForm({ updates }: { updates: ProgramUpdates }) {
  const t = useT();
  const read = useCallback(() => updates.state(), [updates]);
  const { value: state, load, take } = usePolling(read, AGAIN_MS);
  const { busy, sentence, run } = useAction();
  if (state === null) {
    return <p className="quiet">{t(load.phase === 'failed' ? 'updates.failed' : 'updates.loading')}</p>;
  }
  const act = (ask: () => Promise<UpdateState>) =>
    void run(async () => take(await ask()), { sentence: asSentence });
  return (
    <>
      <p className="quiet">{t('updates.about')}</p>
      <FeedForm settings={state.settings} busy={busy} onSave={(next) => act(() => updates.change(next))} />
      <Failure>{sentence}</Failure>
      {state.settings.on && (
        <>
          <div role="status">
            <p>
              {stateWords(state, t)}{' '}
              {state.checked_ms !== null && (
                <span className="quiet">
                  {t('updates.checked')} <TimeOfDay at={state.checked_ms} withDate />
                </span>
              )}
            </p>
            {state.phase === 'ready' && state.reason !== null && (
              <p className="form-sentence">{reasonOf(state, t)}</p>
            )}
          </div>
          <div className="manage__buttons">
            {state.phase === 'ready' ? (
              <ConfirmButton
                confirm={t('updates.install_confirm')}
                disabled={busy}
                onConfirm={() => act(() => updates.install())}
              >
                {t('updates.install')}
              </ConfirmButton>
            ) : (
              <Button
                disabled={busy || ['checking', 'downloading', 'installing'].includes(state.phase)}
                onPress={() => act(() => updates.check())}
              >
                {t('updates.check')}
              </Button>
            )}
          </div>
        </>
      )}
    </>
  );
}

function FeedForm({
  settings,
  busy,
  onSave,
}: {
  settings: UpdateSettings;
  busy: boolean;
  onSave: (settings: UpdateSettings) => void;
}) {
  const t = useT();
  const [typed, setTyped] = useState<Partial<UpdateSettings>>({});
  const form = { ...settings, ...typed };
  const change = (part: Partial<UpdateSettings>) => setTyped((before) => ({ ...before, ...part }));
  const isDirty = (Object.keys(typed) as (keyof UpdateSettings)[]).some((it) => form[it] !== settings[it]);
  return (
    <Form
      className="setup-form"
      onSubmit={() => onSave({ ...form, url: form.url.trim(), publicKey: form.publicKey.trim() })}
    >
      <Toggle
        label={t('updates.on')}
        hint={t('updates.on_about')}
        on={form.on}
        onChange={(on) => change({ on })}
      />
      {form.on && (
        <>
          <TextField
            label={t('updates.url')}
            hint={t('updates.url_about')}
            value={form.url}
            onChange={(url) => change({ url })}
            maxLength={500}
          />
          <TextField
            label={t('updates.key')}
            hint={t('updates.key_about')}
            value={form.publicKey}
            onChange={(publicKey) => change({ publicKey })}
            maxLength={100}
          />
          <Choice
            label={t('updates.hour')}
            options={HOURS}
            value={String(form.hour)}
            onChange={(hour) => change({ hour: Number(hour) })}
          />
          <Toggle
            label={t('updates.by_itself')}
            hint={t('updates.by_itself_about')}
            on={form.byItself}
            onChange={(byItself) => change({ byItself })}
          />
        </>
      )}
      <div>
        <Button submits disabled={busy || !isDirty}>
          {t('updates.save')}
        </Button>
      </div>
    </Form>
  );
}

const reasonOf = ({ reason, causes }: UpdateState, t: Translate): string =>
  detailText({ detail: reason ?? '', causes }, t);

function stateWords(state: UpdateState, t: Translate): string {
  const { phase, version, found, fraction } = state;
  const reason = reasonOf(state, t);
  const values = { version, found: found ?? '', reason };
  switch (phase) {
    case 'idle':
      return reason || t('updates.state.idle', values);
    case 'up to date':
      return t('updates.state.up_to_date', values);
    case 'downloading':
      return t('updates.state.downloading', { ...values, percent: Math.floor((fraction ?? 0) * 100) });
    default:
      return t(`updates.state.${phase}`, values);
  }
}
