import { beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../renderer/commands/commands.ts';
import { openAlarmMenu } from '../../../renderer/commands/contextMenus.ts';
import { showVehicle } from '../../../renderer/live/liveActions.ts';
import { openRows } from '../../../renderer/notifications/openRows.ts';
import {
  checkAll,
  checkRow,
  foldGroup,
  filterQueue,
  foldQueue,
  leaveGroups,
  presentView,
  quietRows,
  severalToAcknowledge,
  showList,
  showQueueView,
  walkedLines,
} from '../../../renderer/notifications/queueView.ts';
import { severitiesOn, withSeverity } from '../../../renderer/notifications/QueueFilterFields.tsx';
import { createQueueView, NO_FILTER } from '../../../renderer/notifications/queueViewStore.ts';
import { openSession } from '../commands/openSession.ts';
import { sampleGeofence } from '../geofences/sampleGeofence.ts';
import { sampleNotification, sampleVehicle } from '../samples.ts';

let session: ReturnType<typeof openSession>;
beforeEach(() => {
  session = openSession();
  session.app.notifications.put(
    [
      { notification_id: 'n1', rule_id: 'r1', first_time: '2026-11-21T12:01:00.000Z' },
      { notification_id: 'n2', rule_id: 'r2', first_time: '2026-11-21T12:02:00.000Z' },
      { notification_id: 'n3', rule_id: 'r1', first_time: '2026-11-21T12:03:00.000Z' },
      { notification_id: 'q1', quiet: true },
    ].map((fields) => sampleNotification(fields)),
  );
});
const run = (id: string) => {
  const command = COMMANDS.find((it) => it.id === id);
  if (command?.when(session.app) !== true) throw new Error(`${id} cannot be run`);
  command.run(session.app, command.shortcut ?? '');
};

describe('the queue', () => {
  it('the queue leaves quiet notifications to their own list', () => {
    expect(openRows(session.app).map((it) => it.notification_id)).toEqual(['n1', 'n2', 'n3']);
    expect(quietRows(session.app).map((it) => it.notification_id)).toEqual(['q1']);
  });

  it('the queue acknowledges a folded group as a whole, after its note', () => {
    const { app } = session;
    run('group_queue');
    expect(app.queueView.getState().groupBy).toBe('rule');
    foldGroup(app, 'r1', true);
    expect(severalToAcknowledge(app)).toEqual({ name: 'Rule', ids: ['n1', 'n3'] });
    run('acknowledge');
    expect(app.view.getState().overlay).toBe('note');
    expect(app.acks.store.getState().waiting.size).toBe(0);
  });

  it('the queue is grouped by vehicle and by place, under their names, and acknowledges the rows of one', () => {
    const { app } = session;
    app.vehicles.put([sampleVehicle({ vehicle_id: 'v1', name: 'Van 1' })]);
    app.geofences.put([sampleGeofence({ geozone_id: 'g1', name: 'Yard' })]);
    const change = (id: string, fields: Parameters<typeof sampleNotification>[0]) => {
      const row = app.notifications.store.getState().byId.get(id);
      app.notifications.put([{ ...sampleNotification(row), ...fields }]);
    };
    change('n1', { vehicle_id: 'v1', geozone_id: 'g1' });
    change('n2', { vehicle_id: null, geozone_id: null, lat: null, lon: null });
    change('n3', { vehicle_id: 'v1', geozone_id: null, lat: null, lon: null });
    const groups = () =>
      walkedLines(app).flatMap((it) =>
        it.kind === 'group' ? [[it.group.name, it.group.rows.map((row) => row.notification_id)]] : [],
      );
    const groupBy = (by: 'vehicle' | 'place') => app.queueView.setState({ groupBy: by });
    groupBy('vehicle');
    expect(groups()).toEqual([
      ['Van 1', ['n1', 'n3']],
      ['queue.group_no_vehicle', ['n2']],
    ]);
    foldGroup(app, 'v1', true);
    expect(severalToAcknowledge(app)).toEqual({ name: 'Van 1', ids: ['n1', 'n3'] });
    groupBy('place');
    expect(groups()).toEqual([
      ['Yard', ['n1']],
      ['queue.group_no_place', ['n2', 'n3']],
    ]);
    foldGroup(app, 'Yard', true);
    expect(severalToAcknowledge(app)).toEqual({ name: 'Yard', ids: ['n1'] });
  });

  it('the queue steps by J from a folded group to the next row', () => {
    const { app } = session;
    run('group_queue');
    foldGroup(app, 'r1', true);
    run('next_alarm');
    expect([app.view.getState().notificationId, app.queueView.getState().groupKey]).toEqual(['n2', null]);
    run('previous_alarm');
    expect([app.view.getState().notificationId, app.queueView.getState().groupKey]).toEqual([null, 'r1']);
  });

  it('the queue steps by J through open rows alone while it is folded, and keeps its grouping', () => {
    const { app } = session;
    run('group_queue');
    foldGroup(app, 'r1', true);
    run('quiet_list');
    foldQueue(app, true);
    const reached = [1, 2, 3, 4].map(() => {
      run('next_alarm');
      return app.view.getState().notificationId;
    });
    expect(reached).toEqual(['n1', 'n2', 'n3', 'n1']);
    expect(() => run('quiet_list')).toThrow('quiet_list cannot be run');
    foldQueue(app, false);
    expect(app.queueView.getState()).toMatchObject({ list: 'open', groupBy: 'rule' });
  });

  it('the queue is shown as it was saved: its list, its grouping and the folded groups that were there', () => {
    const { app } = session;
    run('group_queue');
    foldGroup(app, 'r1', true);
    foldGroup(app, 'gone', true);
    const saved = presentView(app);
    expect(saved).toEqual({ list: 'open', group_by: 'rule', folded: ['r1'] });
    run('group_queue');
    run('quiet_list');
    checkAll(app);
    showQueueView(app, { name: 'Night', ...saved });
    expect(app.queueView.getState()).toMatchObject({
      ...{ list: 'open', groupBy: 'rule', folded: new Set(['r1']), checked: new Set() },
    });
  });

  it('a window without the queue has no quiet list for its keys', () => {
    session = openSession({}, { name: 'map' });
    expect(() => run('quiet_list')).toThrow('quiet_list cannot be run');
    session = openSession({}, { name: 'queue' });
    run('quiet_list');
    expect(session.app.queueView.getState().list).toBe('quiet');
  });

  it('the queue acknowledges a row that is selected on the map, not the group that was folded before', () => {
    const { app } = session;
    const stop = leaveGroups(app);
    app.notifications.put([sampleNotification({ notification_id: 'n2', rule_id: 'r2', vehicle_id: 'v2' })]);
    run('group_queue');
    foldGroup(app, 'r1', true);
    showVehicle(app, 'v2');
    expect([app.view.getState().notificationId, severalToAcknowledge(app)]).toEqual(['n2', null]);
    foldGroup(app, 'r1', false);
    foldGroup(app, 'r1', true);
    expect(severalToAcknowledge(app)).toBeNull();
    run('acknowledge');
    expect([...app.acks.store.getState().waiting.keys()]).toEqual(['n2']);
    stop();
  });

  it('the queue means the row that a menu is opened on, and those that are checked with it', () => {
    const { app } = session;
    app.view.setState({ notificationId: 'n1' });
    checkRow(app, 'n3', 'toggle');
    const menuOf = (id: string) => {
      const row = app.notifications.store.getState().byId.get(id);
      if (row !== undefined) openAlarmMenu(app, row, { x: 0, y: 0 });
      return severalToAcknowledge(app)?.ids ?? null;
    };
    expect(menuOf('n3')).toEqual(['n1', 'n3']);
    expect(menuOf('n2')).toBeNull();
    checkRow(app, 'n3', 'toggle');
    run('next_alarm');
    expect(severalToAcknowledge(app)).toBeNull();
  });

  it('the queue steps by J through the list that is shown, and from acknowledged rows to the open ones', () => {
    const { app } = session;
    app.notifications.put([
      sampleNotification({ notification_id: 'q2', quiet: true, first_time: '2026-11-22T12:00:00.000Z' }),
    ]);
    const step = () => {
      run('next_alarm');
      return app.view.getState().notificationId;
    };
    run('quiet_list');
    expect([step(), step(), step()]).toEqual(['q1', 'q2', 'q1']);
    showList(app, 'acknowledged');
    expect([step(), app.queueView.getState().list]).toEqual(['n1', 'open']);
  });

  it('the queue acknowledges the rows that are selected together, and none that is acknowledged already', () => {
    const { app } = session;
    app.view.setState({ notificationId: 'n1' });
    checkRow(app, 'n3', 'toggle');
    expect(severalToAcknowledge(app)).toEqual({ name: null, ids: ['n1', 'n3'] });
    checkRow(app, 'n2', 'range');
    expect([...app.queueView.getState().checked]).toEqual(['n2', 'n3']);
    app.notifications.put([sampleNotification({ notification_id: 'n2', state: 'acknowledged' })]);
    expect(severalToAcknowledge(app)?.ids).toEqual(['n3']);
    checkAll(app);
    expect([...app.queueView.getState().checked]).toEqual(['n1', 'n3']);
  });

  it('the queue shows, walks, checks and acknowledges the rows that its filter names alone', () => {
    const { app } = session;
    filterQueue(app, { severities: [], rule_ids: ['r1'], vehicle_ids: [] });
    run('next_alarm');
    run('next_alarm');
    expect(app.view.getState().notificationId).toBe('n3');
    run('next_alarm');
    expect(app.view.getState().notificationId).toBe('n1');
    checkAll(app);
    expect([...app.queueView.getState().checked]).toEqual(['n1', 'n3']);
    expect(openRows(app)).toHaveLength(3);
    filterQueue(app, { severities: ['info'], rule_ids: ['r1'], vehicle_ids: [] });
    expect(app.queueView.getState().checked.size).toBe(0);
    checkAll(app);
    expect(app.queueView.getState().checked.size).toBe(0);
  });

  it('the queue saves its filter with a view, and shows all rows by a view that has none', () => {
    const { app } = session;
    const filter = { severities: ['alarm' as const], rule_ids: [], vehicle_ids: ['v1'] };
    filterQueue(app, filter);
    const saved = { name: 'Own', ...presentView(app) };
    expect(saved.filter).toEqual(filter);
    showQueueView(app, { name: 'All', list: 'open', group_by: 'none', folded: [] });
    expect(presentView(app)).not.toHaveProperty('filter');
    showQueueView(app, saved);
    expect(app.queueView.getState().filter).toEqual(filter);
  });

  it('the queue keeps grouping and filter on this computer, and begins anew from what it cannot read', () => {
    const texts = new Map<string, string>();
    const storage = {
      read: (key: string) => texts.get(key) ?? null,
      write: (key: string, text: string) => void texts.set(key, text),
      onWritten: () => () => undefined,
    };
    const filter = { severities: ['warning' as const], rule_ids: [], vehicle_ids: [] };
    createQueueView(storage, 'u1').setState({ groupBy: 'rule', filter });
    expect(createQueueView(storage, 'u1').getState()).toMatchObject({ groupBy: 'rule', filter });
    expect(createQueueView(storage, 'u2').getState()).toMatchObject({ groupBy: 'none', filter: NO_FILTER });
    for (const text of ['{', '{"groupBy":"colour"}']) {
      texts.set('queue_view.u1', text);
      expect(createQueueView(storage, 'u1').getState()).toMatchObject({ groupBy: 'none', filter: NO_FILTER });
    }
  });
});

it('all severities of the queue are on until one is switched off, and the last one stays on', () => {
  expect(severitiesOn(NO_FILTER)).toEqual(['alarm', 'warning', 'info']);
  const severities = withSeverity(NO_FILTER, 'info', false);
  expect(severitiesOn({ severities })).toEqual(['alarm', 'warning']);
  expect(withSeverity({ severities }, 'info', true)).toEqual([]);
  expect(withSeverity({ severities: ['alarm'] }, 'alarm', false)).toEqual(['alarm']);
});
