import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { followDisplays } from '../../electron/followDisplays.ts';
import type { Rectangle } from '../../electron/windowBounds.ts';
import { createFakeClock } from '../support/fakeClock.ts';

const laptop = { bounds: { x: 0, y: 0, width: 1920, height: 1080 }, scaleFactor: 1.5 };
const wide = { bounds: { x: 1920, y: 0, width: 2560, height: 1440 }, scaleFactor: 1 };
type Display = typeof laptop;

class FakeScreen extends EventEmitter {
  displays: Display[] = [laptop, wide];
  getPrimaryDisplay = () => withWorkArea(laptop);
  getAllDisplays = () => this.displays.map(withWorkArea);
  /** As systems do: several events for one change. */
  change(displays: Display[]): void {
    const event = displays.length < this.displays.length ? 'display-removed' : 'display-added';
    this.displays = displays;
    this.emit(event);
    this.emit('display-metrics-changed');
  }
}

function withWorkArea(display: Display) {
  const { x, y, width, height } = display.bounds;
  return { ...display, workArea: { x, y, width, height: height - 40 } };
}

class FakeWindow extends EventEmitter {
  bounds: Rectangle = { x: 2000, y: 100, width: 1600, height: 1000 };
  maximized = false;
  fullScreen = false;
  readonly placed: Rectangle[] = [];
  getNormalBounds = () => this.bounds;
  isMaximized = () => this.maximized;
  isFullScreen = () => this.fullScreen;
  isDestroyed = () => false;
  maximize = () => void (this.maximized = true);
  unmaximize = () => void (this.maximized = false);
  setFullScreen(on: boolean): void {
    this.fullScreen = on;
    if (!on) this.emit('leave-full-screen');
  }
  setBounds(bounds: Rectangle): void {
    this.placed.push(bounds);
    this.bounds = bounds;
    this.emit('move');
  }
  /** By the operator, or by the system. */
  move(x: number): void {
    this.bounds = { ...this.bounds, x };
    this.emit('move');
  }
}

function setUp() {
  const clock = createFakeClock();
  const screen = new FakeScreen();
  const { adopt, stop } = followDisplays({ screen, after: (ms, run) => clock.after(ms, run) });
  const window = new FakeWindow();
  adopt(window);
  return { clock, screen, window, stop };
}

it('a window comes onto the displays that are left, and back to its place when its own returns', () => {
  const { clock, screen, window } = setUp();
  const before = window.bounds;
  screen.change([laptop]);
  clock.advance(500);
  expect(window.bounds.x + window.bounds.width).toBeLessThanOrEqual(1920);
  screen.change([laptop, wide]);
  clock.advance(500);
  expect(window.bounds).toEqual(before);
});

it('a window is back where the operator put it, not where the system moved it as its display went', () => {
  const { clock, screen, window } = setUp();
  window.move(2600);
  clock.advance(1_000);
  // The system is first, and says so later.
  window.move(300);
  clock.advance(400);
  screen.change([laptop]);
  clock.advance(2_000);
  expect(window.bounds.x).toBe(300);
  expect(window.placed).toEqual([]);
  window.move(200);
  clock.advance(1_000);
  screen.change([laptop, wide]);
  clock.advance(500);
  expect(window.bounds.x).toBe(2600);
  screen.change([laptop]);
  clock.advance(500);
  expect(window.bounds.x).toBe(200);
});

it('a window keeps filling its display, maximised or as a full screen, when that returns', () => {
  const { clock, screen, window } = setUp();
  window.maximized = true;
  window.emit('maximize');
  clock.advance(1_000);
  const before = window.bounds;
  screen.change([laptop]);
  clock.advance(500);
  window.maximized = false;
  window.fullScreen = true;
  screen.change([laptop, wide]);
  clock.advance(500);
  expect([window.bounds, window.maximized, window.fullScreen]).toEqual([before, true, true]);
});

it('a window is placed again where the first call used the scale of the display that it came from', () => {
  const { clock, screen, window } = setUp();
  const before = window.bounds;
  screen.change([laptop]);
  clock.advance(500);
  const set = window.setBounds.bind(window);
  let calls = 0;
  window.setBounds = (bounds) => {
    calls += 1;
    set(calls === 1 ? { ...bounds, width: bounds.width * 1.5 } : bounds);
  };
  screen.change([laptop, wide]);
  clock.advance(500);
  expect([window.bounds, calls]).toEqual([before, 2]);
});

it('displays that change several times at once move a window once, and none that is closed', () => {
  const { clock, screen, window, stop } = setUp();
  screen.change([laptop]);
  clock.advance(300);
  screen.change([laptop, wide]);
  clock.advance(5_000);
  expect(window.placed).toEqual([]);
  window.emit('closed');
  screen.change([laptop]);
  clock.advance(5_000);
  expect(window.placed).toEqual([]);
  stop();
  expect(screen.eventNames()).toEqual([]);
});
