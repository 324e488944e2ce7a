import { describe, expect, it } from 'vitest';
import type { AppContext } from '../../../../renderer/appContext/appContext.ts';
import { createI18n, createTranslate } from '../../../../renderer/i18n/text.ts';
import {
  clockWords,
  formatOffset,
  setClockOffset,
} from '../../../../renderer/vehicles/manage/ClockSuggestion.tsx';
import { formOf, vehicleDrafts } from '../../../../renderer/vehicles/manage/vehicleForm.ts';
import type { Vehicle, VehiclePatch } from '../../../../server/contract/vehicles.ts';
import { sampleVehicle } from '../../samples.ts';

const t = createTranslate(createI18n());
const spaced = (text: string) => text.replaceAll('\u00a0', ' ');

describe('a clock offset', () => {
  it('a clock offset is given in hours and minutes, with its sign', () => {
    expect([28_800, 19_800, -12_600, 0].map((s) => spaced(formatOffset(s)))).toEqual([
      '8 h',
      '5 h 30 min',
      '−3 h 30 min',
      '0 s',
    ]);
  });

  it('a clock offset is suggested by what the stamps say', () => {
    expect([28_800, -10_800, 0].map((s) => spaced(clockWords(s, t)))).toEqual([
      'Its clock is 8 h ahead.',
      'Its clock is 3 h behind.',
      'Its clock is correct.',
    ]);
  });
});

describe('setting a clock offset', () => {
  function setUp() {
    const patches: VehiclePatch[] = [];
    const put: Vehicle[] = [];
    const app = {
      vehicleActions: {
        change(vehicle: Vehicle, patch: VehiclePatch) {
          patches.push(patch);
          return Promise.resolve({ ...vehicle, ...patch, version: vehicle.version + 1 } as Vehicle);
        },
      },
      vehicles: { put: (vehicles: Vehicle[]) => void put.push(...vehicles) },
    } as unknown as AppContext;
    const draft = () => vehicleDrafts(app).get('v1');
    return { app, patches, put, draft };
  }

  it('setting a clock offset changes the offset alone, at once', async () => {
    const { app, patches, put, draft } = setUp();
    await setClockOffset(app, sampleVehicle(), 28_800);
    expect(patches).toEqual([{ clock_offset_s: 28_800 }]);
    expect(put).toMatchObject([{ clock_offset_s: 28_800, version: 2 }]);
    expect(draft()).toBeNull();
  });

  it('setting a clock offset leaves what else was typed in the form, which then is not behind', async () => {
    const { app, draft } = setUp();
    const base = sampleVehicle();
    vehicleDrafts(app).keep('v1', { base, form: { ...formOf(base), name: 'V 99', clock_offset_s: '7' } });
    await setClockOffset(app, base, 28_800);
    expect(draft()).toMatchObject({
      base: { version: 2 },
      form: { name: 'V 99', clock_offset_s: '28800' },
    });
  });

  it('setting a clock offset ends the form when nothing else was typed', async () => {
    const { app, draft } = setUp();
    const base = sampleVehicle();
    vehicleDrafts(app).keep('v1', { base, form: { ...formOf(base), clock_offset_s: '28' } });
    await setClockOffset(app, base, 28_800);
    expect(draft()).toBeNull();
  });

  it('setting a clock offset leaves a form alone that others are ahead of', async () => {
    const { app, draft } = setUp();
    const base = sampleVehicle();
    vehicleDrafts(app).keep('v1', { base, form: { ...formOf(base), name: 'V 99' } });
    await setClockOffset(app, sampleVehicle({ version: 5 }), 28_800);
    expect(draft()).toMatchObject({ base: { version: 1 }, form: { clock_offset_s: '0' } });
  });
});
