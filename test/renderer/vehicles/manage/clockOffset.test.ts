import { describe, expect, it } from 'vitest';
import type { Desk } from '../../../../renderer/desk/desk.ts';
import { createTexts, sayWith } from '../../../../renderer/i18n/text.ts';
import { clockWords, offsetText } from '../../../../renderer/vehicles/manage/clockOffset.ts';
import { draftsOf, keepDraft } from '../../../../renderer/vehicles/manage/drafts.ts';
import { setClockOffset } from '../../../../renderer/vehicles/manage/setClockOffset.ts';
import { formOf } from '../../../../renderer/vehicles/manage/vehicleForm.ts';
import type { Vehicle, VehiclePatch } from '../../../../server/contract/vehicles.ts';
import { sampleVehicle } from '../../samples.ts';

const say = sayWith(createTexts());
const spaced = (text: string) => text.replaceAll('\u00a0', ' ');

describe('a clock offset', () => {
  it('is said in hours and minutes, with its sign', () => {
    expect([28_800, 19_800, -12_600, 0].map((s) => spaced(offsetText(s)))).toEqual([
      '8 h',
      '5 h 30 min',
      '−3 h 30 min',
      '0 s',
    ]);
  });

  it('is suggested by what the stamps say', () => {
    expect([28_800, -10_800, 0].map((s) => spaced(clockWords(s, say)))).toEqual([
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
    const desk = {
      vehicleActions: {
        change(vehicle: Vehicle, patch: VehiclePatch) {
          patches.push(patch);
          return Promise.resolve({ ...vehicle, ...patch, version: vehicle.version + 1 } as Vehicle);
        },
      },
      vehicles: { put: (vehicles: Vehicle[]) => void put.push(...vehicles) },
    } as unknown as Desk;
    const draft = () => draftsOf(desk).getState().byVehicle.get('v1');
    return { desk, patches, put, draft };
  }

  it('changes the offset alone, at once', async () => {
    const { desk, patches, put, draft } = setUp();
    await setClockOffset(desk, sampleVehicle(), 28_800);
    expect(patches).toEqual([{ clock_offset_s: 28_800 }]);
    expect(put).toMatchObject([{ clock_offset_s: 28_800, version: 2 }]);
    expect(draft()).toBeUndefined();
  });

  it('leaves what else was typed in the form, which then is not behind', async () => {
    const { desk, draft } = setUp();
    const base = sampleVehicle();
    keepDraft(desk, 'v1', { base, form: { ...formOf(base), name: 'V 99', clock_offset_s: '7' } });
    await setClockOffset(desk, base, 28_800);
    expect(draft()).toMatchObject({
      base: { version: 2 },
      form: { name: 'V 99', clock_offset_s: '28800' },
    });
  });

  it('ends the form when nothing else was typed', async () => {
    const { desk, draft } = setUp();
    const base = sampleVehicle();
    keepDraft(desk, 'v1', { base, form: { ...formOf(base), clock_offset_s: '28' } });
    await setClockOffset(desk, base, 28_800);
    expect(draft()).toBeUndefined();
  });

  it('leaves a form alone that others are ahead of', async () => {
    const { desk, draft } = setUp();
    const base = sampleVehicle();
    keepDraft(desk, 'v1', { base, form: { ...formOf(base), name: 'V 99' } });
    await setClockOffset(desk, sampleVehicle({ version: 5 }), 28_800);
    expect(draft()).toMatchObject({ base: { version: 1 }, form: { clock_offset_s: '0' } });
  });
});
