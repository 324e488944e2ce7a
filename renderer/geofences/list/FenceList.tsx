import { Hexagon, Plus, Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Geofence } from '../../../server/contract/geofences.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { numberText } from '../../format/numbers.ts';
import { useText } from '../../i18n/useText.ts';
import { match } from '../../palette/findEntries.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { LoadFailure } from '../../ui/LoadFailure.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Pane } from '../../ui/Pane.tsx';
import { RetryButton } from '../../ui/RetryButton.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { StaleBand } from '../../ui/StaleBand.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { openFence, startDrawing } from '../drawingActions.ts';
import { ExportMenu } from '../files/ExportMenu.tsx';
import { ImportDialog } from '../files/ImportDialog.tsx';
import { isTouched } from '../form/fenceDraft.ts';
import { mayDrawFences } from '../fenceRights.ts';
import { ManyBar } from './ManyBar.tsx';
import { useFenceColumns } from './useFenceColumns.tsx';
import './FenceList.css';

const SKELETON = [
  [112, 40, 64],
  [80, 40, 48],
  [136, 32, 72],
] as const;
const BY_NAME = { id: 'name', desc: false };
const keyOf = (fence: Geofence): string => fence.geozone_id;

/** All geofences that the user sees, to be found, chosen, and taken many at once. */
export function FenceList({ narrow }: { narrow: boolean }) {
  const desk = useDesk();
  const say = useText();
  const { byId, load } = useStore(desk.geofences.store);
  const selectedId = useStore(desk.view, (state) => state.geozoneId);
  const edit = useStore(desk.view, (state) => state.fenceEdit);
  const [typed, setTyped] = useState('');
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [imports, setImports] = useState(false);
  const columns = useFenceColumns(narrow);
  const fences = useMemo(() => [...byId.values()], [byId]);
  const shown = useMemo(() => fences.filter(({ name }) => match(name, typed) !== null), [fences, typed]);
  // What somebody deleted meanwhile is ticked no more.
  const checked = useMemo(() => new Set([...ticked].filter((id) => byId.has(id))), [ticked, byId]);
  const mayDraw = mayDrawFences(desk);
  const isEmpty = load.phase === 'ready' && fences.length === 0;

  const draw = () => startDrawing(desk, 'polygon');
  const importButton = (
    <Button icon={Upload} size={isEmpty ? 'normal' : 'small'} onPress={() => setImports(true)}>
      {say('fence_files.import')}
    </Button>
  );

  const body = () => {
    if (load.phase === 'failed' && fences.length === 0) {
      return (
        <LoadFailure
          title={say('fences.failed')}
          stillWorks={say('fences.failed_still')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={() => desk.retry('geofences')}
        />
      );
    }
    if (load.phase === 'loading' && fences.length === 0) {
      return (
        <SkeletonRows
          className="fence-list__skeleton"
          widths={SKELETON}
          rows={10}
          label={say('fences.loading')}
        />
      );
    }
    if (isEmpty) {
      return (
        <Notice
          icon={Hexagon}
          title={say('fences.empty')}
          actions={
            mayDraw && (
              <>
                <Button kind="primary" keycap="G" onPress={draw}>
                  {say('fences.draw_first')}
                </Button>
                {importButton}
              </>
            )
          }
        >
          {say(mayDraw ? 'fences.empty_how' : 'fences.empty_user')}
        </Notice>
      );
    }
    return shown.length === 0 ? (
      <Notice
        title={say('fences.filtered', { typed })}
        actions={<Button onPress={() => setTyped('')}>{say('fences.show_all')}</Button>}
      />
    ) : (
      <DataTable
        name={say('rail.geofences')}
        columns={columns}
        rows={shown}
        keyOf={keyOf}
        selectedKey={selectedId}
        onSelect={({ geozone_id }) => openFence(desk, geozone_id)}
        {...(mayDraw ? { checked, onCheck: setTicked } : {})}
        initialSort={BY_NAME}
      />
    );
  };

  return (
    <Pane
      name={say('rail.geofences')}
      head={
        <>
          <h2>{say('rail.geofences')}</h2>
          {fences.length > 0 && <span className="faint">{numberText(fences.length)}</span>}
          <span className="fill" />
          {!isEmpty && (
            <>
              {mayDraw && !narrow && importButton}
              {mayDraw && narrow && (
                <IconButton
                  icon={Upload}
                  size="small"
                  label={say('fence_files.import')}
                  onPress={() => setImports(true)}
                />
              )}
              <ExportMenu checked={checked} />
              {mayDraw && (
                <Button size="small" icon={Plus} keycap="G" disabled={edit !== null} onPress={draw}>
                  {say('fences.draw')}
                </Button>
              )}
            </>
          )}
        </>
      }
    >
      <StaleBand>{say('fences.stale')}</StaleBand>
      {load.phase === 'failed' && fences.length > 0 && (
        <p className="fence-list__partial">
          {say('fences.partial')} <RetryButton size="small" onRetry={() => desk.retry('geofences')} />
        </p>
      )}
      {edit !== null && isTouched(edit) && fences.length > 0 && (
        <p className="fence-list__partial">{say('fences.in_hand')}</p>
      )}
      {fences.length > 0 && (
        <div className="fence-list__tools">
          <TextField
            hiddenLabel
            type="search"
            size="small"
            label={say('fences.search')}
            placeholder={say('fences.find')}
            value={typed}
            onChange={setTyped}
            maxLength={100}
          />
          {shown.length !== fences.length && (
            <span className="faint small" role="status">
              {say('fences.shown', { shown: numberText(shown.length), all: numberText(fences.length) })}
            </span>
          )}
        </div>
      )}
      {body()}
      {checked.size > 0 && (
        <ManyBar
          fences={fences.filter(({ geozone_id }) => checked.has(geozone_id))}
          onClear={() => setTicked(new Set())}
        />
      )}
      {imports && <ImportDialog onClose={() => setImports(false)} />}
    </Pane>
  );
}
