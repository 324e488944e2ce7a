import { Hexagon, Plus, Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Geofence } from '../../../server/contract/geofences.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { match } from '../../commands/findEntries.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { LoadFailure } from '../../ui/LoadFailure.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Pane } from '../../ui/Pane.tsx';
import { RetryButton } from '../../ui/RetryButton.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { StaleBanner } from '../../ui/StaleBand.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { openGeofence, startDrawing } from '../drawingActions.ts';
import { ExportMenu } from '../files/ExportMenu.tsx';
import { ImportDialog } from '../files/ImportDialog.tsx';
import { isTouched } from '../form/geofenceDraft.ts';
import { mayDrawGeofences } from '../geofenceRights.ts';
import { BulkActionBar } from './BulkActionBar.tsx';
import { useGeofenceColumns } from './useGeofenceColumns.tsx';
import './GeofenceList.css';

const SKELETON = [
  [112, 40, 64],
  [80, 40, 48],
  [136, 32, 72],
] as const;
const BY_NAME = { id: 'name', desc: false };
const keyOf = (geofence: Geofence): string => geofence.geozone_id;

/** All geofences that the user sees, to be found, chosen, and taken many at once. */
export function GeofenceList({ narrow }: { narrow: boolean }) {
  const app = useAppContext();
  const t = useT();
  const { byId, load } = useStore(app.geofences.store);
  const selectedId = useStore(app.view, (state) => state.geozoneId);
  const edit = useStore(app.view, (state) => state.geofenceEdit);
  const [typed, setTyped] = useState('');
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [imports, setImports] = useState(false);
  const columns = useGeofenceColumns(narrow);
  const geofences = useMemo(() => [...byId.values()], [byId]);
  const shown = useMemo(
    () => geofences.filter(({ name }) => match(name, typed) !== null),
    [geofences, typed],
  );
  // What somebody deleted meanwhile is ticked no more.
  const checked = useMemo(() => new Set([...ticked].filter((id) => byId.has(id))), [ticked, byId]);
  const mayDraw = mayDrawGeofences(app);
  const isEmpty = load.phase === 'ready' && geofences.length === 0;

  const draw = () => startDrawing(app, 'polygon');
  const importButton = (
    <Button icon={Upload} size={isEmpty ? 'normal' : 'small'} onPress={() => setImports(true)}>
      {t('geofence_files.import')}
    </Button>
  );

  const body = () => {
    if (load.phase === 'failed' && geofences.length === 0) {
      return (
        <LoadFailure
          title={t('geofences.failed')}
          stillWorks={t('geofences.failed_still')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={() => app.retry('geofences')}
        />
      );
    }
    if (load.phase === 'loading' && geofences.length === 0) {
      return (
        <SkeletonRows
          className="geofence-list__skeleton"
          widths={SKELETON}
          rows={10}
          label={t('geofences.loading')}
        />
      );
    }
    if (isEmpty) {
      return (
        <Notice
          icon={Hexagon}
          title={t('geofences.empty')}
          actions={
            mayDraw && (
              <>
                <Button kind="primary" keycap="G" onPress={draw}>
                  {t('geofences.draw_first')}
                </Button>
                {importButton}
              </>
            )
          }
        >
          {t(mayDraw ? 'geofences.empty_how' : 'geofences.empty_user')}
        </Notice>
      );
    }
    return shown.length === 0 ? (
      <Notice
        title={t('geofences.filtered', { typed })}
        actions={<Button onPress={() => setTyped('')}>{t('geofences.show_all')}</Button>}
      />
    ) : (
      <DataTable
        name={t('rail.geofences')}
        columns={columns}
        rows={shown}
        keyOf={keyOf}
        selectedKey={selectedId}
        onSelect={({ geozone_id }) => openGeofence(app, geozone_id)}
        {...(mayDraw ? { checked, onCheck: setTicked } : {})}
        initialSort={BY_NAME}
      />
    );
  };

  return (
    <Pane
      name={t('rail.geofences')}
      head={
        <>
          <h2>{t('rail.geofences')}</h2>
          {geofences.length > 0 && <span className="faint">{formatNumber(geofences.length)}</span>}
          <span className="fill" />
          {!isEmpty && (
            <>
              {mayDraw && !narrow && importButton}
              {mayDraw && narrow && (
                <IconButton
                  icon={Upload}
                  size="small"
                  label={t('geofence_files.import')}
                  onPress={() => setImports(true)}
                />
              )}
              <ExportMenu checked={checked} />
              {mayDraw && (
                <Button size="small" icon={Plus} keycap="G" disabled={edit !== null} onPress={draw}>
                  {t('geofences.draw')}
                </Button>
              )}
            </>
          )}
        </>
      }
    >
      <StaleBanner>{t('geofences.stale')}</StaleBanner>
      {load.phase === 'failed' && geofences.length > 0 && (
        <p className="geofence-list__partial">
          {t('geofences.partial')} <RetryButton size="small" onRetry={() => app.retry('geofences')} />
        </p>
      )}
      {edit !== null && isTouched(edit) && geofences.length > 0 && (
        <p className="geofence-list__partial">{t('geofences.in_hand')}</p>
      )}
      {geofences.length > 0 && (
        <div className="geofence-list__tools">
          <TextField
            hiddenLabel
            type="search"
            size="small"
            label={t('geofences.search')}
            placeholder={t('geofences.find')}
            value={typed}
            onChange={setTyped}
            maxLength={100}
          />
          {shown.length !== geofences.length && (
            <span className="faint small" role="status">
              {t('geofences.shown', {
                shown: formatNumber(shown.length),
                all: formatNumber(geofences.length),
              })}
            </span>
          )}
        </div>
      )}
      {body()}
      {checked.size > 0 && (
        <BulkActionBar
          geofences={geofences.filter(({ geozone_id }) => checked.has(geozone_id))}
          onClear={() => setTicked(new Set())}
        />
      )}
      {imports && <ImportDialog onClose={() => setImports(false)} />}
    </Pane>
  );
}
