import { Fragment, useCallback } from 'react';
import { backupRoutes, type Backups } from '../../server/contract/backups.ts';
import { serviceRoutes, type Settings } from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatBytes } from '../format/numbers.ts';
import { useDepotTime } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { usePolling } from '../resources/useReread.ts';
import { useResourceForm } from '../resources/useResourceForm.ts';
import { detailText } from '../ui/formFaults.ts';
import { Button } from '../ui/Button.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { sendSettings } from './changeSettings.ts';
import { SaveSettings } from './SaveSettings.tsx';

/** The stream does not bear them. */
const AGAIN_MS = 3_000;
/** More than these are for whoever looks into the folder. */
const MOST_SHOWN = 5;

/** When and where backups are made, those that are there, and one at once. */
export function BackupSettings({ settings }: { settings: Settings }) {
  const { api } = useAppContext();
  const t = useT();
  const read = useCallback((signal: AbortSignal) => api.request(backupRoutes.list, { signal }), [api]);
  const { value: backups, load, take, again } = usePolling(read, AGAIN_MS);
  if (backups === null) {
    return (
      <p className="quiet">{t(load.phase === 'failed' ? 'settings.status_failed' : 'settings.reading')}</p>
    );
  }
  return (
    <>
      <BackupForm settings={settings} folder={backups.folder} onSaved={again} />
      <BackupState backups={backups} onState={take} />
    </>
  );
}

/** Their form's own item: the folder is not among the settings that all users see. */
type BackupItem = Settings & { backup_folder: string };

const formOf = (item: BackupItem | null) => ({
  backup_daily: item?.backup_daily ?? false,
  backup_time: item?.backup_time ?? '',
  backup_keep: String(item?.backup_keep ?? ''),
  backup_folder: item?.backup_folder ?? '',
  backup_clips: item?.backup_clips ?? false,
});

function BackupForm({
  settings,
  folder,
  onSaved,
}: {
  settings: Settings;
  folder: string;
  onSaved: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const { form, field, change, faults, sentence, busy, isDirty, save } = useResourceForm({
    item: { ...settings, backup_folder: folder },
    formOf,
    requestOf: (typed, base: BackupItem | null) => {
      const before = formOf(base);
      const changed = (Object.keys(before) as (keyof typeof before)[]).filter(
        (it) => typed[it] !== before[it],
      );
      if (changed.length === 0) return null;
      const all = {
        ...typed,
        backup_keep: Number(typed.backup_keep),
        backup_folder: typed.backup_folder.trim(),
      };
      const body = Object.fromEntries(changed.map((it) => [it, all[it]]));
      const send = async () => ({
        ...(await sendSettings(app, base ?? settings, body)),
        backup_folder: all.backup_folder,
      });
      return { schema: serviceRoutes.patchSettings.body, body, send };
    },
    fields: ['backup_time', 'backup_keep', 'backup_folder'],
    texts: { version_conflict: t('numbers.conflict') },
  });
  return (
    <Form
      className="setup-form"
      faults={faults}
      onSubmit={() => void save(true).then((saved) => saved !== null && onSaved())}
    >
      <TextField
        label={t('backup.folder')}
        hint={t('backup.folder_about')}
        {...field('backup_folder')}
        maxLength={1_000}
      />
      <Toggle
        label={t('backup.daily')}
        hint={t('backup.daily_about')}
        on={form.backup_daily}
        onChange={(on) => change({ backup_daily: on })}
      />
      <TextField label={t('backup.time')} {...field('backup_time')} maxLength={5} />
      <TextField label={t('backup.keep')} {...field('backup_keep')} numeric maxLength={3} />
      <Toggle
        label={t('backup.clips')}
        on={form.backup_clips}
        onChange={(on) => change({ backup_clips: on })}
      />
      <SaveSettings sentence={sentence} disabled={busy || !isDirty} />
    </Form>
  );
}

function BackupState({ backups, onState }: { backups: Backups; onState: (state: Backups) => void }) {
  const { api } = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { busy, sentence, run } = useAction();
  const { running, failure, overdue, overdue_causes } = backups;
  const start = () => run(async () => onState(await api.request(backupRoutes.start, { body: {} })));

  return (
    <>
      {failure !== null && running === null && (
        <p className="form-sentence" role="alert">
          <TimeOfDay at={Date.parse(failure.at)} withDate /> {detailText(failure, t, time)}
        </p>
      )}
      {overdue !== null && failure === null && (
        <p className="form-sentence">{detailText({ detail: overdue, causes: overdue_causes }, t, time)}</p>
      )}
      <div role="status">
        {running !== null ? (
          <p className="quiet">{t('backup.running', { percent: Math.floor(running.fraction * 100) })}</p>
        ) : (
          backups.backups.length === 0 && <p className="quiet">{t('backup.none')}</p>
        )}
      </div>
      {backups.backups.length > 0 && (
        <dl className="facts">
          {backups.backups.slice(0, MOST_SHOWN).map(({ name, created_at, bytes, clips }) => (
            <Fragment key={name}>
              <dt className="quiet">
                <TimeOfDay at={Date.parse(created_at)} withDate />
              </dt>
              <dd title={name}>
                {t(clips ? 'backup.size_clips' : 'backup.size', { size: formatBytes(bytes) })}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {backups.secrets_kept_by !== null && <p className="quiet">{t('backup.encrypted')}</p>}
      <Failure>{sentence}</Failure>
      <div>
        <Button disabled={busy || running !== null || backups.folder === ''} onPress={() => void start()}>
          {t('backup.start')}
        </Button>
      </div>
    </>
  );
}
