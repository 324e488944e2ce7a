import { Download, Hexagon, Plus, Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Geofence } from '../../server/contract/geofences.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { openGeofenceMenu } from '../commands/contextMenus.ts';
import { formatNumber, formatSpeed } from '../format/numbers.ts';
import type { Translate } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { geofenceSearch } from '../search/searches.ts';
import { BulkActions, type BulkAction } from '../resources/BulkActions.tsx';
import { jobOfOne } from '../resources/BulkDialog.tsx';
import { ResourceList } from '../resources/ResourceScreen.tsx';
import { Button } from '../ui/Button.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Icon } from '../ui/Icon.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
import { RetryButton } from '../ui/RetryButton.tsx';
import { formatSchedule } from '../ui/scheduleLabels.ts';
import { openGeofence, startDrawing } from './drawingActions.ts';
import { ColorMark } from './form/ColorField.tsx';
import { isTouched } from './form/geofenceDraft.ts';
import { exportGeofences, MOST_NAMED, type GeofenceFormat } from './geofenceFiles.ts';
import { GeofenceImport } from './GeofenceImport.tsx';
import { areaM2, formatGroups, formatSize, whyNotMonitored } from './geofenceLabels.ts';
import { mayDrawGeofences } from './geofenceRights.ts';
import { deleteGeofence } from './deleteGeofence.ts';
import './GeofenceList.css';

const SKELETON = [
  [112, 40, 64],
  [80, 40, 48],
  [136, 32, 72],
] as const;
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
  const columns = useColumns(narrow);
  const geofences = useMemo(() => [...byId.values()], [byId]);
  const visible = useMemo(() => geofenceSearch.filter(geofences, typed), [geofences, typed]);
  // What somebody deleted meanwhile is ticked no more.
  const checked = useMemo(() => new Set([...ticked].filter((id) => byId.has(id))), [ticked, byId]);
  const mayDraw = mayDrawGeofences(app);
  const isEmpty = load.phase === 'ready' && geofences.length === 0;
  const draw = () => startDrawing(app, 'polygon');

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
              {mayDraw && !narrow && (
                <Button icon={Upload} size="small" onPress={() => setImports(true)}>
                  {t('geofence_files.import')}
                </Button>
              )}
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
      <ResourceList
        name={t('rail.geofences')}
        columns={columns}
        rows={visible}
        total={geofences.length}
        keyOf={keyOf}
        load={load}
        onRetry={() => app.retry('geofences')}
        selectedKey={selectedId}
        onSelect={({ geozone_id }) => openGeofence(app, geozone_id)}
        onMenu={(geofence, at) => openGeofenceMenu(app, geofence, at)}
        {...(mayDraw ? { checked, onCheck: setTicked } : {})}
        typed={typed}
        onType={setTyped}
        texts={{
          search: t('geofences.search'),
          placeholder: t('geofences.find'),
          loading: t('geofences.loading'),
          failed: t('geofences.failed'),
          failedStill: t('geofences.failed_still'),
          stale: t('geofences.stale'),
        }}
        skeleton={SKELETON}
        notes={
          <>
            {load.phase === 'failed' && (
              <p className="geofence-list__partial">
                {t('geofences.partial')} <RetryButton size="small" onRetry={() => app.retry('geofences')} />
              </p>
            )}
            {edit !== null && isTouched(edit) && (
              <p className="geofence-list__partial">{t('geofences.in_hand')}</p>
            )}
          </>
        }
        empty={
          <Notice
            icon={Hexagon}
            title={t('geofences.empty')}
            actions={
              mayDraw && (
                <>
                  <Button kind="primary" keycap="G" onPress={draw}>
                    {t('geofences.draw_first')}
                  </Button>
                  <Button icon={Upload} onPress={() => setImports(true)}>
                    {t('geofence_files.import')}
                  </Button>
                </>
              )
            }
          >
            {t(mayDraw ? 'geofences.empty_how' : 'geofences.empty_user')}
          </Notice>
        }
        noMatch={{
          title: t('geofences.filtered', { typed }),
          back: t('geofences.show_all'),
          onBack: () => setTyped(''),
        }}
        bulk={
          checked.size > 0 && (
            <BulkActions
              title={t('geofence_bulk.title', { count: checked.size })}
              actions={bulkActions(
                app,
                geofences.filter((it) => checked.has(it.geozone_id)),
                t,
              )}
              onClear={() => setTicked(new Set())}
            />
          )
        }
      />
      {imports && <GeofenceImport onClose={() => setImports(false)} />}
    </Pane>
  );
}

function bulkActions(app: AppContext, geofences: readonly Geofence[], t: Translate): BulkAction[] {
  const count = geofences.length;
  const unbound = geofences.filter(({ group_ids }) => group_ids.length === 0).length;
  const jobs = (change: (known: Geofence) => Promise<unknown>) =>
    geofences.map((geofence) =>
      // The newest that is known: somebody may have changed it since it was ticked.
      jobOfOne(geofence.name, () =>
        change(app.geofences.store.getState().byId.get(geofence.geozone_id) ?? geofence),
      ),
    );
  return [
    {
      id: 'join',
      label: t('geofence_bulk.join'),
      title: t('geofence_bulk.join_title', { count }),
      groups: t('geofence.groups'),
      about: unbound > 0 && <p className="quiet">{t('geofence_bulk.unbound', { count: unbound })}</p>,
      submit: t('geofence_bulk.join_do', { count }),
      jobs: (groupIds) =>
        jobs((known) =>
          app.geofenceActions.change(known, { group_ids: [...new Set([...known.group_ids, ...groupIds])] }),
        ),
    },
    {
      id: 'delete',
      label: t('geofence_bulk.delete'),
      title: t('geofence_bulk.delete_title', { count }),
      about: <p>{t('geofence_bulk.delete_what')}</p>,
      submit: t('geofence_bulk.delete_do', { count }),
      jobs: () => jobs((known) => deleteGeofence(app, known)),
    },
  ];
}

/** Files of all geofences, or of those that are ticked. */
function ExportMenu({ checked }: { checked: ReadonlySet<string> }) {
  const app = useAppContext();
  const t = useT();
  const save = async (format: GeofenceFormat, ids: readonly string[] | null) => {
    try {
      await exportGeofences(app, format, ids);
    } catch (error) {
      const reason = sentenceOf(error, t) ?? '';
      app.toasts.setState({
        toast: { text: t('geofence_files.not_exported', { reason }), isTrouble: true, action: null },
      });
    }
  };
  const count = checked.size;
  return (
    <MenuButton
      label={t('geofence_files.export')}
      entries={[
        { id: 'geojson', label: t('geofence_files.all_geojson'), run: () => void save('geojson', null) },
        { id: 'kml', label: t('geofence_files.all_kml'), run: () => void save('kml', null) },
        ...(count === 0
          ? []
          : (['geojson', 'kml'] as const).map((format) => ({
              id: `checked-${format}`,
              label:
                count > MOST_NAMED
                  ? t('geofence_files.too_many', { max: MOST_NAMED })
                  : t(`geofence_files.checked_${format}`, { count }),
              disabled: count > MOST_NAMED,
              run: () => void save(format, [...checked]),
            }))),
      ]}
    >
      <Icon of={Download} />
    </MenuButton>
  );
}

/** The columns of the list of geofences; `narrow` for beside the panel. */
function useColumns(narrow: boolean): readonly Column<Geofence>[] {
  const app = useAppContext();
  const t = useT();
  const groups = useStore(app.groups.store, (state) => state.byId);
  return useMemo(() => {
    const groupsOf = (geofence: Geofence) =>
      formatGroups(geofence.group_ids, (id) => groups.get(id)?.name ?? t('geofence.group_unseen'), t);
    const hoursOf = ({ schedule }: Geofence) =>
      schedule === null ? t('schedule.always') : formatSchedule(schedule);
    const few: Column<Geofence>[] = [
      {
        id: 'name',
        head: t('geofence.name'),
        value: ({ name }) => name,
        cell: ({ name, color, not_monitored }) => (
          <span className="geofence-list__name" title={name}>
            <ColorMark color={color} />
            <span className="strong ellipsis">{name}</span>
            {not_monitored && (
              <span
                className="in-warning"
                title={t('geofence.not_monitored', { reason: whyNotMonitored(not_monitored, t) })}
              >
                {t('geofences.not_monitored')}
              </span>
            )}
          </span>
        ),
        width: 'minmax(96px, 2fr)',
      },
      {
        // It says the shape, too.
        id: 'size',
        head: t('geofences.size'),
        value: areaM2,
        cell: (geofence) => <span title={formatSize(geofence, t)}>{formatSize(geofence, t)}</span>,
        align: 'end',
        width: '112px',
      },
    ];
    if (narrow) return few;
    return [
      ...few,
      {
        id: 'limit',
        head: t('geofences.limit'),
        value: ({ speed_limit_kmh }) => speed_limit_kmh,
        cell: ({ speed_limit_kmh }) => (speed_limit_kmh === null ? '' : formatSpeed(speed_limit_kmh)),
        align: 'end',
        width: '80px',
      },
      {
        id: 'groups',
        head: t('geofences.groups'),
        value: groupsOf,
        cell: (geofence) => (
          <span className="quiet" title={groupsOf(geofence)}>
            {groupsOf(geofence)}
          </span>
        ),
        width: 'minmax(120px, 1fr)',
      },
      {
        id: 'schedule',
        head: t('geofence.schedule'),
        value: hoursOf,
        cell: (geofence) => (
          <span className="quiet" title={hoursOf(geofence)}>
            {hoursOf(geofence)}
          </span>
        ),
        width: 'minmax(104px, 1fr)',
      },
    ];
  }, [groups, t, narrow]);
}
