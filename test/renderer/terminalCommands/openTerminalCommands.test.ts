import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Desk } from '../../../renderer/desk/desk.ts';
import { createLiveView } from '../../../renderer/live/liveView.ts';
import { vehicleToCommand } from '../../../renderer/terminalCommands/openTerminalCommands.ts';
import { sampleVehicle } from '../samples.ts';

function deskAt(
  place: string,
  query: Record<string, string>,
  user: unknown = { role: 'user', rights: { vehicles: 'write' } },
  selected: string | null = null,
): Desk {
  const view = createLiveView({});
  view.setState({ vehicleId: selected });
  return {
    user,
    view,
    navigation: { store: createStore(() => ({ place, query })) },
    vehicles: { store: createStore(() => ({ byId: new Map([['v1', sampleVehicle()]]) })) },
  } as unknown as Desk;
}

describe('the vehicle that C sends a command to', () => {
  it('is the selected one on Live and among the vehicles', () => {
    expect(vehicleToCommand(deskAt('live', {}, undefined, 'v1'))).toBe('v1');
    expect(vehicleToCommand(deskAt('vehicles', { id: 'v1' }))).toBe('v1');
    expect(vehicleToCommand(deskAt('vehicles', { id: 'v1' }, { role: 'dealer', rights: {} }))).toBe('v1');
  });

  it('is none where none is selected, or what is selected is none', () => {
    expect(vehicleToCommand(deskAt('live', {}))).toBeNull();
    expect(vehicleToCommand(deskAt('live', {}, undefined, 'gone'))).toBeNull();
    expect(vehicleToCommand(deskAt('vehicles', { id: 'new' }))).toBeNull();
    expect(vehicleToCommand(deskAt('vehicles', { tab: 'groups', id: 'v1' }))).toBeNull();
    expect(vehicleToCommand(deskAt('events', { id: 'v1' }, undefined, 'v1'))).toBeNull();
  });

  it('is none for who may look at vehicles alone', () => {
    const reader = { role: 'user', rights: { vehicles: 'read' } };
    expect(vehicleToCommand(deskAt('live', {}, reader, 'v1'))).toBeNull();
    expect(vehicleToCommand(deskAt('vehicles', { id: 'v1' }, reader))).toBeNull();
  });
});
