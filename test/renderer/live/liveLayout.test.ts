import { describe, expect, it } from 'vitest';
import { liveLayout } from '../../../renderer/live/liveLayout.ts';

const standard = { sizes: {}, panelShown: true };

describe('the layout of the Live screen', () => {
  it('the layout of the Live screen is that of the smallest desktop at 1366 × 768', () => {
    expect(liveLayout({ width: 1_366, height: 768, ...standard })).toEqual({
      railWidth: 72,
      listWidth: 328,
      listFolded: false,
      panelWidth: 304,
      panelOver: false,
      queueHeight: 200,
      queueFolded: false,
      wideQueue: false,
      full: false,
    });
  });

  it('the layout of the Live screen is wider, with one more column, from 1700 on', () => {
    const layout = liveLayout({ width: 1_920, height: 1_080, ...standard });
    expect(layout).toMatchObject({ listWidth: 344, panelWidth: 344, wideQueue: true });
  });

  it('the layout of the Live screen lays the panel over the map first, then folds the list, then narrows the rail', () => {
    expect(liveLayout({ width: 1_200, height: 768, ...standard })).toMatchObject({
      panelOver: true,
      listFolded: false,
    });
    expect(liveLayout({ width: 900, height: 768, ...standard })).toMatchObject({
      listFolded: true,
      railWidth: 72,
    });
    expect(liveLayout({ width: 640, height: 768, ...standard })).toMatchObject({
      listFolded: true,
      railWidth: 48,
    });
  });

  it('the layout of the Live screen folds the queue when the map would be too low', () => {
    expect(liveLayout({ width: 1_366, height: 608, ...standard }).queueFolded).toBe(false);
    expect(liveLayout({ width: 1_366, height: 607, ...standard }).queueFolded).toBe(true);
  });

  it('the layout of the Live screen folds the queue to its head and lays panels over the map on the full screen', () => {
    const layout = liveLayout({ width: 1_920, height: 1_080, ...standard, fullMap: true });
    expect(layout).toMatchObject({ full: true, queueFolded: true, panelOver: true, wideQueue: true });
  });

  it('the layout of the Live screen keeps what the operator chose, within limits', () => {
    const sizes = { list: { size: 9_999, folded: false }, queue: { size: 240, folded: true } };
    expect(liveLayout({ width: 1_920, height: 1_080, sizes, panelShown: true })).toMatchObject({
      listWidth: 520,
      queueFolded: true,
      queueHeight: 240,
    });
  });
});
