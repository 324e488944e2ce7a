import { describe, expect, it } from 'vitest';
import {
  addStep,
  startHistory,
  stepBack,
  stepForward,
} from '../../../../renderer/geofences/form/shapeHistory.ts';
import type { DrawnShape } from '../../../../renderer/map/drawing/drawnShape.ts';

const circle = (radius_m: number): DrawnShape => ({
  shape: 'circle',
  geometry: { type: 'Point', coordinates: [13, 52] },
  radius_m,
});
const line = (...points: [number, number][]): DrawnShape => ({
  shape: 'line',
  geometry: { type: 'LineString', coordinates: points },
  width_m: 100,
});

describe('the history of a drawn shape', () => {
  it('gives each shape back, and again forwards', () => {
    const drawn = addStep(addStep(startHistory(circle(1)), circle(2), 'pointer'), circle(3), 'pointer');
    const once = stepBack(drawn);
    expect(once?.present).toEqual(circle(2));
    const twice = once && stepBack(once);
    expect(twice?.present).toEqual(circle(1));
    expect(twice && stepBack(twice)).toBeNull();
    const again = twice && stepForward(twice);
    expect(again?.present).toEqual(circle(2));
  });

  it('has nothing to redo after a new step', () => {
    const back = stepBack(addStep(startHistory(circle(1)), circle(2), 'pointer'));
    expect(back && stepForward(addStep(back, circle(4), 'pointer'))).toBeNull();
  });

  it('takes a size that is typed digit by digit as one step', () => {
    let history = startHistory(circle(7));
    for (const radius of [5, 50, 500]) history = addStep(history, circle(radius), 'size');
    expect(history.past).toEqual([circle(7)]);
  });

  it('takes a shape that was just drawn back corner by corner', () => {
    const history = addStep(startHistory(null), line([1, 1], [2, 2], [3, 3], [4, 4]), 'pointer');
    expect(history.past).toEqual([null, line([1, 1], [2, 2]), line([1, 1], [2, 2], [3, 3])]);
  });

  it('keeps at most 100 steps', () => {
    let history = startHistory(circle(1));
    for (let radius = 2; radius < 300; radius++) history = addStep(history, circle(radius), 'pointer');
    expect(history.past).toHaveLength(100);
  });
});
