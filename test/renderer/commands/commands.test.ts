import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Shift } from '../../../server/contract/shifts.ts';
import type { Driver } from '../../../server/contract/drivers.ts';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import type { Event } from '../../../server/contract/events.ts';
import { COMMANDS } from '../../../renderer/commands/commands.ts';
import { entriesOf } from '../../../renderer/commands/contextMenus.ts';
import { shortcutOf } from '../../../renderer/commands/shortcuts.ts';
import { startDrawing } from '../../../renderer/geofences/drawingActions.ts';
import { sampleGeofence } from '../geofences/sampleGeofence.ts';
import { sampleIncident, sampleNotification, samplePosition, sampleVehicle } from '../samples.ts';
import { archivedVehicles } from '../../../renderer/vehicles/manage/archivedVehicles.ts';
import { openSession } from './openSession.ts';

type Session = ReturnType<typeof openSession>;

/** Where an operator may be when a command is run: together they let each command run. */
const SITUATIONS: Record<string, (session: Session) => void> = {
  'an open alarm is selected on Live': ({ app }) => {
    app.navigation.go('live');
    app.view.setState({ vehicleId: 'v1', notificationId: 'n1' });
  },
  'a geofence is selected': ({ app }) => {
    app.navigation.go('geofences');
    app.view.setState({ geozoneId: sampleGeofence().geozone_id });
  },
  'several vehicles and a geofence are selected on Live': ({ app }) => {
    app.navigation.go('live');
    app.view.setState({ selectedIds: new Set(['v1']), geozoneId: sampleGeofence().geozone_id });
  },
  'there is room for a second map': ({ app }) => {
    app.navigation.go('live');
    app.view.setState({ secondMapFits: true });
  },
  'imagery is among the maps': ({ app }) => {
    app.navigation.go('live');
    app.mapList.store.setState({ maps: [{ shown: true, kind: 'imagery' } as never] });
  },
  'a geofence is drawn': ({ app }) => {
    app.navigation.go('geofences');
    startDrawing(app, 'polygon');
  },
  'an alarm is selected among the events while the server is lost': ({ app }) => {
    app.navigation.go('events');
    app.eventsView.setState({ notification: sampleNotification() });
    app.connection.setState({
      link: { phase: 'lost', since: 0, reason: 'refused', nextTryAt: null } as never,
    });
  },
  'a vehicle is selected at a past instant': ({ app }) => {
    const { player, select, states, store } = app.history;
    app.navigation.go('history');
    player.seek(player.store.getState().at - 3_600_000);
    const before = new Date(player.store.getState().at - 60_000).toISOString();
    store.setState({
      dayEvents: {
        events: [{ vehicle_id: 'v1', time: before } as Event],
        notifications: [],
        isCut: false,
      },
    });
    (states as Map<string, object>).set('v1', { lat: 52, lon: 13 });
    select('v1');
  },
  'an incident that this user has not taken is shown': ({ app }) => {
    app.incidents.put([
      sampleIncident({
        driver: { driver_id: 'd1', name: 'M. Okafor', phone: '+44 20 7946 0101', card: null },
        checklist: [{ item_id: 1, text: 'Call the driver', done: null }],
      }),
      sampleIncident({ incident_id: 'i2', number: 2, status: 'waiting' }),
    ]);
    app.incidentWork.writeDraft('i1', 'called');
    app.navigation.go('incidents', { id: 'i1' });
  },
  'an incident that waits is shown': ({ app }) => {
    app.incidents.put([sampleIncident({ status: 'waiting' })]);
    app.navigation.go('incidents', { id: 'i1' });
  },
  'a closed incident is shown': ({ app }) => {
    app.incidents.put([sampleIncident({ status: 'closed', close_reason: 'Test' })]);
    app.navigation.go('incidents', { id: 'i1' });
  },
  'an incident of the vehicle on the map is open': ({ app }) => {
    app.incidents.put([sampleIncident({ vehicle_id: 'v1' })]);
    app.navigation.go('live');
    app.view.setState({ vehicleId: 'v1' });
  },
  'a driver who drives is selected': ({ app }) => {
    app.drivers.put([{ driver_id: 'd1', name: 'M. Okafor', phone: '+44 20 7946 0101' } as Driver]);
    const current_driver = { driver_id: 'd1', name: 'M. Okafor' };
    app.vehicles.put([{ ...sampleVehicle({ version: 9 }), current_driver } as Vehicle]);
    app.navigation.go('vehicles', { tab: 'drivers', id: 'd1' });
  },
  'an archived vehicle is selected': ({ app }) => {
    archivedVehicles(app).put([sampleVehicle({ vehicle_id: 'v2', archived_at: '2026-11-21T12:00:00Z' })]);
    app.navigation.go('vehicles', { archived: '1', id: 'v2' });
  },
  'a rule is selected': ({ app }) => app.navigation.go('rules', { id: 'r1' }),
  'a user is selected': ({ app }) => app.navigation.go('users', { id: 'u2' }),
  'the shift is shown': ({ app }) => app.navigation.go('shift'),
  'nobody is on duty': ({ app }) => {
    app.shifts.setLoad({ phase: 'ready' });
  },
  'this user is on duty, and a colleague hands over': ({ app }) => {
    app.shifts.setLoad({ phase: 'ready' });
    const shift = { started_at: '2026-11-22T18:00:00Z', ended_at: null, handover: null, version: 1 };
    const handover = { state: 'open', to: null, offered_at: '2026-11-22T20:00:00Z' };
    app.shifts.put([
      { ...shift, shift_id: 's1', user_id: 'u1' } as Shift,
      { ...shift, shift_id: 's2', user_id: 'u2', handover } as Shift,
    ]);
  },
  'the Video screen offers all its controls': ({ app, note }) => {
    app.navigation.go('video');
    const names = COMMANDS.filter((it) => it.group === 'video').map(({ id }) => id.replace('video_', ''));
    app.video.controls.offer(
      Object.fromEntries(names.map((name) => [name, (pressed: string) => note(`${name} ${pressed}`)])),
    );
  },
};

function openAt(situation: (session: Session) => void, user: Parameters<typeof openSession>[0] = {}) {
  const session = openSession(user);
  const { app } = session;
  app.vehicles.put([sampleVehicle()]);
  app.geofences.put([sampleGeofence()]);
  app.notifications.put([sampleNotification(), sampleNotification({ notification_id: 'n2' })]);
  app.positions.take([samplePosition()]);
  situation(session);
  return session;
}

const press = (
  key: string,
  held: Partial<Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {},
) => shortcutOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held });
const keysOf = ({ shortcut, otherShortcuts = [] }: (typeof COMMANDS)[number]) =>
  shortcut === null ? [] : [shortcut, ...otherShortcuts];

describe('the commands', () => {
  beforeEach(() => {
    const pane = {
      contains: () => false,
      querySelector: () => null,
      focus: () => (focused += 1),
      checkVisibility: () => true,
    };
    vi.stubGlobal('document', {
      querySelectorAll: () => [pane],
      querySelector: () => pane,
      activeElement: null,
    });
    vi.stubGlobal('window', { print: () => (printed += 1), location: { origin: 'http://depot' } });
  });
  afterEach(() => void vi.unstubAllGlobals());
  let focused = 0;
  let printed = 0;

  it('the commands have names and keys of their own', () => {
    const ids = COMMANDS.map((it) => it.id);
    expect(new Set(ids).size).toBe(ids.length);
    // Three screens and the lists have keys of their own, which mean something else elsewhere.
    const ofScreens = ['video', 'history', 'incidents', 'lists'];
    for (const screen of [...ofScreens, null]) {
      const keys = COMMANDS.filter(
        ({ group }) => (ofScreens.includes(group) ? group : null) === screen,
      ).flatMap(keysOf);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('the commands write their keys as a key press is written', () => {
    for (const shortcut of COMMANDS.flatMap(keysOf)) {
      const parts = shortcut === '+' ? ['+'] : shortcut.split('+');
      const key = parts.at(-1) ?? '';
      const held = {
        shiftKey: parts.includes('Shift'),
        ctrlKey: parts.includes('Ctrl'),
        altKey: parts.includes('Alt'),
      };
      expect(press(key, held)).toBe(shortcut);
    }
  });

  it('every command can be run somewhere, and has an effect there', () => {
    const idle = COMMANDS.filter((command) =>
      Object.values(SITUATIONS).every((situation) => {
        const session = openAt(situation);
        if (!command.when(session.app)) return true;
        const before = `${session.state()} ${focused} ${printed}`;
        command.run(session.app, command.shortcut ?? '');
        return `${session.state()} ${focused} ${printed}` === before;
      }),
    );
    expect(idle.map(({ id }) => id)).toEqual([]);
  });

  it('Escape clears what is selected on the full-screen map first, and leaves the full screen then', () => {
    const { app, state } = openAt(SITUATIONS['an open alarm is selected on Live'] ?? fail);
    const press = (key: string) => COMMANDS.find((it) => it.shortcut === key && it.when(app))?.run(app, key);
    press('E');
    expect(app.view.getState().fullMap).toBe(true);
    press('Escape');
    expect(app.view.getState()).toMatchObject({ vehicleId: null, fullMap: true });
    press('Escape');
    expect(app.view.getState().fullMap).toBe(false);
    expect(state().match(/platform[.]fillScreen/g)).toHaveLength(2);
  });

  it('what is done with a driver, a rule or a user has its keys while that row is selected, and stands in its menu', () => {
    const rows = {
      'a driver who drives is selected': ['driver', ['driver_locate', 'driver_call', 'row_copy_link']],
      'a rule is selected': ['rule', ['rule_notifications', 'row_copy_link']],
      'a user is selected': ['user', ['row_copy_link']],
    } as const;
    for (const [name, [kind, ids]] of Object.entries(rows)) {
      const { app } = openAt(SITUATIONS[name] ?? fail, { role: 'dealer' });
      const menu = entriesOf(app, kind).flat();
      expect(menu.map(({ id }) => id)).toEqual(ids);
      expect(menu.every(({ keycap }) => keycap !== null)).toBe(true);
      // No other command takes their keys there.
      const byKey = menu.map(({ id }) => {
        const { shortcut } = COMMANDS.find((it) => it.id === id) ?? expect.fail(id);
        return COMMANDS.find((it) => it.shortcut === shortcut && it.when(app))?.id;
      });
      expect(byKey).toEqual(ids);
      // What is being added is no row yet.
      app.navigation.note({ id: 'new' });
      expect(entriesOf(app, kind)).toEqual([]);
    }
  });

  it('what is done with a geofence of the list stands in its menu, and its link has the key', () => {
    const { app } = openAt(SITUATIONS['a geofence is selected'] ?? fail, { role: 'dealer' });
    const ids = entriesOf(app, 'listed_geofence').map((section) => section.map(({ id }) => id));
    expect(ids).toEqual([['edit_geofence', 'geofence_events'], ['row_copy_link']]);
    expect(COMMANDS.find((it) => it.shortcut === 'Ctrl+C' && it.when(app))?.id).toBe('row_copy_link');
  });

  it('the notifications of the selected rule open for all time, as from the palette', () => {
    const { app } = openAt(SITUATIONS['a rule is selected'] ?? fail, { role: 'dealer' });
    const { id } = app.navigation.store.getState().query;
    entriesOf(app, 'rule')
      .flat()
      .find((it) => it.id === 'rule_notifications')
      ?.run?.();
    const { place, query } = app.navigation.store.getState();
    expect({ place, query }).toEqual({ place: 'events', query: { rule: id, period: 'all' } });
  });

  it('the events of the selected geofence open for all time, as from the palette', () => {
    const { app } = openAt(SITUATIONS['a geofence is selected'] ?? fail, { role: 'dealer' });
    const { geozoneId } = app.view.getState();
    COMMANDS.find(({ id }) => id === 'geofence_events')?.run(app, '');
    const { place, query } = app.navigation.store.getState();
    const wanted = { view: 'events', geofence: geozoneId, period: 'all' };
    expect({ place, query }).toEqual({ place: 'events', query: wanted });
  });

  it('Ctrl P prints a report and a shift, and is left to the browser elsewhere', () => {
    const { app } = openAt(() => undefined);
    const isTaken = () =>
      COMMANDS.some((it) => it.shortcut === press('p', { ctrlKey: true }) && it.when(app));
    app.navigation.go('shift');
    expect(isTaken()).toBe(true);
    app.navigation.go('reports');
    expect(isTaken()).toBe(false);
    app.reportsView.setState({ shown: {} as never });
    expect(isTaken()).toBe(true);
    app.navigation.go('live');
    expect(isTaken()).toBe(false);
  });

  it('a command with several keys is run with the key that was pressed', () => {
    const { app, state } = openAt(SITUATIONS['the Video screen offers all its controls'] ?? fail);
    const rate = COMMANDS.find(({ id }) => id === 'video_rate');
    for (const pressed of ['Shift+ArrowUp', 'Shift+ArrowDown']) {
      rate?.run(app, pressed);
      expect(state()).toContain(`rate ${pressed}`);
    }
  });

  it('a user who may only read is offered no command that changes what others see', () => {
    const reader = {
      role: 'user',
      rights: { vehicles: 'read', geofences: 'read', notifications: 'read', reports: 'read', video: 'read' },
    } as const;
    const offered = (user: Parameters<typeof openSession>[0]) =>
      new Set(
        Object.values(SITUATIONS).flatMap((situation) => {
          const { app } = openAt(situation, user);
          return COMMANDS.filter((it) => it.when(app)).map(({ id }) => id);
        }),
      );
    const ofReader = offered(reader);
    expect([...offered({})].filter((id) => !ofReader.has(id)).sort()).toEqual([
      'accept_shift',
      'acknowledge',
      'acknowledge_with_note',
      'add_driver',
      'add_shift_note',
      'add_vehicle',
      'attach_map_picture',
      'bulk_geofence',
      'bulk_groups',
      'draw_circle',
      'draw_geofence',
      'edit_geofence',
      'end_shift',
      'go_setup',
      'go_users',
      'hand_over_shift',
      'history_video',
      'incident_add_note',
      'incident_close',
      'incident_edit',
      'incident_in_progress',
      'incident_note',
      'incident_open',
      'incident_reopen',
      'incident_take',
      'incident_tick',
      'incident_video',
      'incident_waiting',
      'open_incident',
      'open_incident_then',
      'restore_vehicles',
      'share_vehicle',
      'snooze',
      'start_shift',
      'terminal_commands',
      'video',
    ]);
  });
});

function fail(): never {
  throw new Error('the situation is not there');
}
