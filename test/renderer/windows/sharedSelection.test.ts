import { describe, expect, it } from 'vitest';
import { openVehicleMenu } from '../../../renderer/commands/contextMenus.ts';
import { showVehicle, locateSelected, deselect } from '../../../renderer/live/liveActions.ts';
import { shareSelection } from '../../../renderer/windows/sharedSelection.ts';
import { openSession } from '../commands/openSession.ts';
import { createFakeChannels } from './fakeChannels.ts';

function setUp() {
  const channel = createFakeChannels();
  const [list, map] = (['list', 'map'] as const).map((name) => {
    const session = openSession({}, { name, channel: channel() });
    session.app.windows.start();
    shareSelection(session.app);
    return session;
  });
  if (list === undefined || map === undefined) throw new Error('no windows');
  list.app.map.store.setState({ maps: [] });
  return { list, map };
}

describe('the selection of several windows', () => {
  it('a vehicle that is selected in one window is selected in the others, and deselected there too', () => {
    const { list, map } = setUp();
    showVehicle(list.app, 'v1');
    expect(map.app.view.getState().vehicleId).toBe('v1');
    expect(map.app.navigation.store.getState().query).toEqual({ vehicle: 'v1' });
    deselect(map.app);
    expect(list.app.view.getState().vehicleId).toBeNull();
  });

  it('a window that follows no longer keeps what it shows, and follows again when it is to', () => {
    const { list, map } = setUp();
    showVehicle(list.app, 'v1');
    map.app.windows.followSelection(false);
    showVehicle(list.app, 'v2');
    expect(map.app.view.getState().vehicleId).toBe('v1');
    map.app.windows.followSelection(true);
    showVehicle(list.app, 'v3');
    expect(map.app.view.getState().vehicleId).toBe('v3');
  });

  it('a window without a map has the map of another window locate the vehicle', () => {
    const { list, map } = setUp();
    const fix = { lat: 52.5, lon: 13.4 };
    map.app.positions.get = () => ({ fix }) as ReturnType<typeof map.app.positions.get>;
    map.app.view.setState({ inView: new Set(['v1']) });
    showVehicle(list.app, 'v1');
    expect(map.state()).not.toContain('camera.flyTo');
    locateSelected(list.app);
    expect(map.state()).toContain('camera.flyTo');
  });

  it('several vehicles that are selected in one window are selected in the others', () => {
    const { list, map } = setUp();
    list.app.view.setState({ selectedIds: new Set(['v1', 'v2']) });
    expect([...map.app.view.getState().selectedIds]).toEqual(['v1', 'v2']);
    deselect(map.app);
    expect(list.app.view.getState().selectedIds.size).toBe(0);
  });

  it('a vehicle that is selected in another window is brought into the view of the map', () => {
    const { list, map } = setUp();
    map.app.positions.get = () =>
      ({ fix: { lat: 52.5, lon: 13.4 } }) as ReturnType<typeof map.app.positions.get>;
    map.app.view.setState({ inView: new Set() });
    showVehicle(list.app, 'v1');
    expect(map.state()).toContain('camera.flyTo');
  });

  it('a window in whose dialog something is typed keeps what the dialog is about', () => {
    const { list, map } = setUp();
    showVehicle(list.app, 'v1');
    map.app.view.setState({ overlay: 'note' });
    showVehicle(list.app, 'v2');
    locateSelected(list.app);
    expect(map.app.view.getState().vehicleId).toBe('v1');
  });

  it('a window whose context menu is open keeps what the menu is about', () => {
    const { list, map } = setUp();
    showVehicle(list.app, 'v1');
    openVehicleMenu(map.app, 'v1', { x: 0, y: 0 });
    showVehicle(list.app, 'v2');
    expect(map.app.view.getState().vehicleId).toBe('v1');
    map.app.view.setState({ contextMenu: null });
    showVehicle(list.app, 'v3');
    expect(map.app.view.getState().vehicleId).toBe('v3');
  });

  it('the map of another screen than Live stays where it is when a window selects or locates a vehicle', () => {
    const { list, map } = setUp();
    map.app.positions.get = () =>
      ({ fix: { lat: 52.5, lon: 13.4 } }) as ReturnType<typeof map.app.positions.get>;
    map.app.navigation.store.setState({ place: 'history', query: {} });
    showVehicle(list.app, 'v1');
    locateSelected(list.app);
    expect(map.state()).not.toContain('camera.flyTo');
  });
});
