import { expect, it } from 'vitest';
import { isInFrame } from '../../../../renderer/map/frameSelection.ts';
import { showNotification, showVehicle } from '../../../../renderer/live/liveActions.ts';
import {
  NO_VEHICLES,
  ranged,
  selectVehicles,
  toggled,
} from '../../../../renderer/vehicles/selection/vehicleSelection.ts';
import { openSession } from '../../commands/openSession.ts';
import { sampleNotification } from '../../samples.ts';

const ORDER = ['a', 'b', 'c', 'd', 'e'];
const none = { ...NO_VEHICLES, vehicleId: null };
const idsOf = ({ selectedIds }: { selectedIds: ReadonlySet<string> }) => [...selectedIds].toSorted();

it('a vehicle is added to a new selection together with the one in the panel, and taken out again', () => {
  const both = toggled({ ...none, vehicleId: 'a' }, 'c');
  expect(idsOf(both)).toEqual(['a', 'c']);
  expect(idsOf(toggled({ ...both, vehicleId: 'a' }, 'c'))).toEqual(['a']);
  expect(idsOf(toggled({ ...none, vehicleId: 'a' }, 'a'))).toEqual(['a']);
});

it('a range reaches from where the selection began, in both directions, and moves with its end', () => {
  const from = { ...toggled(none, 'c'), vehicleId: null };
  const down = ranged(from, ORDER, 'e');
  expect(idsOf(down)).toEqual(['c', 'd', 'e']);
  expect(idsOf(ranged({ ...down, vehicleId: null }, ORDER, 'a'))).toEqual(['a', 'b', 'c']);
  expect(idsOf(ranged({ ...none, vehicleId: 'b' }, ORDER, 'c'))).toEqual(['b', 'c']);
});

it('a range changes nothing of what the list does not show, and adds to the rest with Ctrl', () => {
  const before = { selectedIds: new Set(['hidden', 'a']), selectionAnchor: 'd', vehicleId: null };
  expect(idsOf(ranged(before, ORDER, 'e'))).toEqual(['d', 'e', 'hidden']);
  expect(idsOf(ranged(before, ORDER, 'e', true))).toEqual(['a', 'd', 'e', 'hidden']);
});

it('several vehicles give way to a vehicle or an alarm that is selected alone', () => {
  const { app } = openSession();
  for (const select of [() => showVehicle(app, 'v1'), () => showNotification(app, sampleNotification())]) {
    selectVehicles(app, ['a', 'b']);
    expect(app.view.getState().selectedIds.size).toBe(2);
    select();
    expect(app.view.getState().selectedIds.size).toBe(0);
  }
});

it('a selection of ten thousand vehicles is made and extended in a few steps over them', () => {
  const order = Array.from({ length: 10_000 }, (_, at) => `v${at}`);
  const { app } = openSession();
  selectVehicles(app, order);
  const last = ranged({ ...app.view.getState(), selectionAnchor: 'v0' }, order, 'v9999');
  expect(last.selectedIds.size).toBe(10_000);
});

it('a frame across the date line holds the places on both sides of it', () => {
  const frame = { south: -10, north: 10, west: 170, east: 190, adds: false };
  expect([175, -175, 165, -165].map((lon) => isInFrame({ lat: 0, lon }, frame))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(isInFrame({ lat: 11, lon: 175 }, frame)).toBe(false);
});
