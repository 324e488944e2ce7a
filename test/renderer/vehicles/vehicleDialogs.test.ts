import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { createLiveView } from '../../../renderer/live/liveView.ts';
import { vehicleToChange } from '../../../renderer/vehicles/vehicleDialogs.ts';
import { sampleVehicle } from '../samples.ts';

function appContextAt(
  place: string,
  query: Record<string, string>,
  user: unknown = { role: 'user', rights: { vehicles: 'write' } },
  selected: string | null = null,
): AppContext {
  const view = createLiveView({});
  view.setState({ vehicleId: selected });
  return {
    user,
    view,
    navigation: { store: createStore(() => ({ place, query })) },
    vehicles: { store: createStore(() => ({ byId: new Map([['v1', sampleVehicle()]]) })) },
  } as unknown as AppContext;
}

describe('the vehicle that C sends a command to', () => {
  it('the vehicle that C sends a command to is the selected one on Live and among the vehicles', () => {
    expect(vehicleToChange(appContextAt('live', {}, undefined, 'v1'))).toBe('v1');
    expect(vehicleToChange(appContextAt('vehicles', { id: 'v1' }))).toBe('v1');
    expect(vehicleToChange(appContextAt('vehicles', { id: 'v1' }, { role: 'dealer', rights: {} }))).toBe(
      'v1',
    );
  });

  it('the vehicle that C sends a command to is none where none is selected, or what is selected is none', () => {
    expect(vehicleToChange(appContextAt('live', {}))).toBeNull();
    expect(vehicleToChange(appContextAt('live', {}, undefined, 'gone'))).toBeNull();
    expect(vehicleToChange(appContextAt('vehicles', { id: 'new' }))).toBeNull();
    expect(vehicleToChange(appContextAt('vehicles', { tab: 'groups', id: 'v1' }))).toBeNull();
    expect(vehicleToChange(appContextAt('events', { id: 'v1' }, undefined, 'v1'))).toBeNull();
  });

  it('the vehicle that C sends a command to is none for users who may only look at vehicles', () => {
    const reader = { role: 'user', rights: { vehicles: 'read' } };
    expect(vehicleToChange(appContextAt('live', {}, reader, 'v1'))).toBeNull();
    expect(vehicleToChange(appContextAt('vehicles', { id: 'v1' }, reader))).toBeNull();
  });
});
