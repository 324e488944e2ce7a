import { describe, expect, it } from 'vitest';
import { liveLayout, sizeOfSecondMap } from '../../../renderer/live/liveLayout.ts';

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
      secondMap: null,
      secondMapFits: true,
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

  it('the layout of the Live screen puts a second map beside the first, and has the list give way to it', () => {
    const two = { ...standard, secondMap: true };
    expect(liveLayout({ width: 1_920, height: 1_080, ...two })).toMatchObject({
      secondMap: 'beside',
      panelOver: false,
      listFolded: false,
    });
    expect(liveLayout({ width: 1_366, height: 768, ...two })).toMatchObject({
      secondMap: 'beside',
      panelOver: false,
      listFolded: true,
    });
    expect(liveLayout({ width: 1_366, height: 768, ...two, fullMap: true })).toMatchObject({
      secondMap: 'beside',
    });
  });

  it('the layout of the Live screen puts a second map below the first where the maps are narrow and high', () => {
    const upright = { width: 1_080, height: 1_920, ...standard, secondMap: true };
    expect(liveLayout(upright)).toMatchObject({ secondMap: 'below', listFolded: false, queueFolded: false });
  });

  it('the layout of the Live screen keeps the second map and the list as they are when a panel opens', () => {
    const of = (panelShown: boolean) =>
      liveLayout({ width: 1_600, height: 1_100, sizes: {}, panelShown, secondMap: true });
    const withPanel = of(true);
    expect(withPanel).toMatchObject({ secondMap: 'beside', panelOver: false, listFolded: false });
    expect(of(false)).toEqual(withPanel);
  });

  it('the layout of the Live screen has no second map where one of the two would fall under 560 × 360', () => {
    const of = (width: number, height: number) => liveLayout({ width, height, ...standard, secondMap: true });
    expect(of(1_216, 768)).toMatchObject({ secondMap: 'beside', secondMapFits: true, railWidth: 48 });
    expect(of(1_215, 768)).toMatchObject({ secondMap: null, secondMapFits: false, listFolded: false });
    expect(of(1_366, 479)).toMatchObject({ secondMap: null, secondMapFits: false });
  });

  it('two maps share their area as the operator chose, while neither falls under its least size', () => {
    expect(sizeOfSecondMap(1_400, 560, 0.45)).toEqual({ min: 560, max: 840, size: 630 });
    expect(sizeOfSecondMap(1_400, 560, 0.9).size).toBe(840);
    expect(sizeOfSecondMap(1_400, 560, 0.1).size).toBe(560);
    expect(sizeOfSecondMap(943, 560, 0.1)).toEqual({ min: 471, max: 472, size: 471 });
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
