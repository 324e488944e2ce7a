import type { Page } from '@playwright/test';
import { geofenceRoutes } from '../../server/contract/geofences.ts';
import { addSmallFleet, drive, haveNoon, pressSos, rights, speed, type Depot } from './depot.ts';
import { expect, type Operator } from './operator.ts';
import { order } from './videoSteps.ts';

/** A state that the console can be in: how it is reached from any other, and by what it is known. */
export interface ScreenState {
  name: string;
  /** Where it is: `live?vehicle=ID`. */
  address: string;
  /** By a CSS selector, what has the focus when keys are pressed. */
  focus?: string;
  /** What is pressed there. */
  keys?: readonly string[];
  /** What is pressed in the menu that they open, once it has the focus. */
  menuKeys?: readonly string[];
  /** A CSS selector, since names on the screen follow the language. */
  shows: string;
  /** Shows when things happened. */
  hasMoments?: boolean;
}

/** A depot in which every screen has something to show. */
export async function fillScreens(depot: Depot): Promise<ScreenState[]> {
  await haveNoon(depot);
  const { moving, fast, stopped } = await addSmallFleet(depot);
  const cameras = await depot.addCameras(moving, 2);
  await order(depot, cameras, 1, { agoS: 60 });
  await depot.addUser('anna', { name: 'Anna Novak', rights: rights({ notifications: 'write' }) });
  await depot.dealer.post('/api/v1/drivers', { name: 'Josephine Lind', phone: '+44 20 7946 0103' });
  await depot.dealer.ask(geofenceRoutes.create, {
    body: {
      ...{ name: 'North yard', shape: 'circle', radius_m: 400 },
      geometry: { type: 'Point', coordinates: [13.38, 52.54] },
    },
  });
  await drive(depot, fast, Date.now() - 3_600_000, { fixes: 40 });
  await pressSos(depot, stopped);
  await speed(depot, fast);
  const vehicle = stopped.vehicle_id;
  const table = '.table, [role=grid], .table-host';
  return [
    { name: 'live', address: 'live', shows: '.maplibregl-canvas' },
    { name: 'vehicle', address: `live?vehicle=${vehicle}`, shows: '.live__panel', hasMoments: true },
    {
      name: 'share',
      address: `live?vehicle=${vehicle}`,
      focus: '.vehicle-panel',
      keys: ['Shift+S'],
      shows: '[role=dialog]',
    },
    { name: 'note', address: 'live', keys: ['j', 'Shift+A'], shows: '[role=dialog]' },
    { name: 'snooze', address: 'live', keys: ['j', 'z'], shows: '[role=dialog]' },
    { name: 'why', address: 'live', keys: ['j', 'w'], shows: '[role=dialog]' },
    { name: 'search', address: 'live', keys: ['/'], shows: '[role=dialog]' },
    { name: 'keys', address: 'live', keys: ['?'], shows: '[role=dialog]' },
    {
      name: 'row menu',
      address: 'live',
      focus: '.queue [role=list]',
      keys: ['j', 'Shift+F10'],
      shows: '[role=menu]',
    },
    // Where the queue has the focus, the key selects its rows.
    ...[[], ['z'], ['c'], ['v']].map((keys) => ({
      name: ['selected vehicles', ...keys].join(' '),
      address: 'live',
      focus: '.maplibregl-canvas',
      keys: ['Control+a', ...keys],
      shows: keys.length === 0 ? '.selection-bar' : '[role=dialog]',
    })),
    {
      name: 'selected vehicles menu',
      address: 'live',
      focus: '.maplibregl-canvas',
      keys: ['Control+a', 'Shift+F10'],
      menuKeys: [],
      shows: '[role=menu]',
    },
    // Their places in that menu.
    ...[
      ['groups', 5],
      ['geofence', 6],
    ].map(([what, steps]) => ({
      name: `selected vehicles ${what}`,
      address: 'live',
      focus: '.maplibregl-canvas',
      keys: ['Control+a', 'Shift+F10'],
      menuKeys: [...Array<string>(Number(steps)).fill('ArrowDown'), 'Enter'],
      shows: '[role=dialog]',
    })),
    {
      name: 'map menu',
      address: 'live',
      focus: '.maplibregl-canvas',
      keys: ['Shift+F10'],
      menuKeys: [],
      shows: '[role=menu]',
    },
    {
      name: 'command',
      address: `live?vehicle=${vehicle}`,
      focus: '.vehicle-panel',
      keys: ['c'],
      shows: '[role=dialog]',
    },
    { name: 'geofence', address: 'live', keys: ['g'], shows: '.geofence-panel' },
    { name: 'history', address: `history?vehicle=${vehicle}`, shows: '.maplibregl-canvas' },
    { name: 'events', address: 'events', shows: table, hasMoments: true },
    { name: 'event list', address: 'events?view=events', shows: table, hasMoments: true },
    { name: 'incidents', address: 'incidents', shows: 'section.pane', hasMoments: true },
    {
      name: 'incident to close',
      address: 'incidents',
      focus: '.incidents__rows',
      keys: ['Home', 'c'],
      shows: '[role=dialog]',
    },
    { name: 'shift', address: 'shift', shows: 'section.pane, .pane', hasMoments: true },
    {
      name: 'shift on duty',
      address: 'shift',
      keys: ['Alt+Shift+S'],
      shows: '.shifts__actions',
      hasMoments: true,
    },
    ...['N', 'H', 'E'].map((key) => ({
      name: `shift ${key}`,
      address: 'shift',
      focus: '.shifts__actions button',
      keys: [`Alt+Shift+${key}`],
      shows: '[role=dialog]',
    })),
    { name: 'video', address: 'video', shows: '.pane', hasMoments: true },
    { name: 'video requests', address: 'video?view=queue', shows: '.pane', hasMoments: true },
    { name: 'video request', address: 'video?view=queue', keys: ['v'], shows: '[role=dialog]' },
    { name: 'geofences', address: 'geofences', shows: '.pane' },
    { name: 'rules', address: 'rules', shows: '.pane' },
    { name: 'new rule', address: 'rules?id=new', shows: '.manage__side, form' },
    { name: 'reports', address: 'reports', shows: '.pane', hasMoments: true },
    { name: 'vehicles', address: 'vehicles', shows: '.pane' },
    { name: 'new vehicle', address: 'vehicles?id=new', shows: '.manage__side' },
    { name: 'groups', address: 'vehicles?tab=groups', shows: '.pane' },
    { name: 'drivers', address: 'vehicles?tab=drivers', shows: '.pane' },
    { name: 'users', address: 'users', shows: '.pane', hasMoments: true },
    { name: 'new user', address: 'users?id=new', shows: '.manage__side' },
    { name: 'settings', address: 'settings', shows: '.settings-screen' },
    ...['language', 'terminals', 'maps', 'api_tokens', 'keys', 'audit', 'about'].map((tab) => ({
      name: `settings ${tab}`,
      address: `settings?tab=${tab}`,
      shows: '.settings-screen',
      hasMoments: tab === 'audit' || tab === 'api_tokens',
    })),
  ];
}

/** Goes to a state, whatever is open, and waits until it is there and nothing of it loads. */
export async function show(operator: Operator, url: string, state: ScreenState): Promise<void> {
  const { page } = operator;
  // A form that was left asks nothing: what it held was not changed.
  for (let at = 0; at < 3; at++) await page.keyboard.press('Escape');
  await page.goto(`${url}/#/${state.address}`);
  if (state.focus !== undefined) await page.locator(state.focus).first().focus();
  for (const key of state.keys ?? []) await page.keyboard.press(key);
  if (state.menuKeys !== undefined)
    await expect(page.getByRole('menu').getByRole('menuitem').first(), state.name).toBeFocused();
  for (const key of state.menuKeys ?? []) await page.keyboard.press(key);
  await expect(page.locator(state.shows).first(), state.name).toBeVisible();
  await expect(page.locator('[aria-busy=true]'), state.name).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (const it of document.getAnimations()) it.finish();
  });
}

/**
 * What cannot be read or reached on the page: texts that are cut, controls outside the window that nothing scrolls to,
 * and controls that something else covers. The map is left out: it has its own labels and tests.
 */
export function boxFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const masked = '.maplibregl-map, [aria-hidden=true], .visually-hidden, option, video';
    const nameOf = (it: Element) =>
      `${it.tagName.toLowerCase()}${it.className && typeof it.className === 'string' ? `.${it.className.trim().split(/\s+/)[0]}` : ''} "${(it.getAttribute('aria-label') ?? it.textContent).trim().slice(0, 60)}"`;
    const isSeen = (it: Element) => {
      const { width, height } = it.getBoundingClientRect();
      // What is only spoken is hidden in a box of one pixel.
      return (
        width > 2 &&
        height > 2 &&
        it.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        it.closest(masked) === null
      );
    };
    const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].filter(isSeen);
    const top = dialogs.at(-1) ?? document.body;

    /** What is left of a box behind all that clips it; null when it can be scrolled into sight. */
    const clipOf = (it: Element) => {
      const clip = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight };
      let scrolls = false;
      for (let outer = it.parentElement; outer !== null; outer = outer.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(outer);
        const box = outer.getBoundingClientRect();
        if (overflowX === 'auto' || overflowX === 'scroll' || overflowY === 'auto' || overflowY === 'scroll')
          scrolls ||=
            outer.scrollWidth > outer.clientWidth + 1 || outer.scrollHeight > outer.clientHeight + 1;
        if (overflowX !== 'visible') {
          clip.left = Math.max(clip.left, box.left);
          clip.right = Math.min(clip.right, box.right);
        }
        if (overflowY !== 'visible') {
          clip.top = Math.max(clip.top, box.top);
          clip.bottom = Math.min(clip.bottom, box.bottom);
        }
      }
      return { clip, scrolls };
    };

    // What the depot wrote, and where its vehicles are, may end in dots: names of any length. Where the page is narrow,
    // so may the cells of a table.
    const fromDepot =
      '.vehicle-row .quiet, .past-row .quiet, .palette .quiet, .incident-row, .audit .data-table__cell';
    const mayEndInDots = window.innerWidth < 1366 ? `${fromDepot}, .data-table__cell` : fromDepot;
    for (const it of top.querySelectorAll<HTMLElement>('*')) {
      const ownText = [...it.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      if (!(ownText || it.matches('.ellipsis, .data-table__cell')) || !isSeen(it)) continue;
      if (it.closest(mayEndInDots) !== null) continue;
      const { overflowX, textOverflow, paddingLeft, paddingRight } = getComputedStyle(it);
      // A tenth of a pixel too much is enough for the dots.
      const content = document.createRange();
      content.selectNodeContents(it);
      const space = it.getBoundingClientRect().width - parseFloat(paddingLeft) - parseFloat(paddingRight);
      const isCut =
        textOverflow === 'ellipsis'
          ? content.getBoundingClientRect().width > space + 0.05
          : it.scrollWidth > it.clientWidth + 1;
      if (overflowX !== 'visible' && isCut) faults.push(`cut: ${nameOf(it)}`);
    }

    // A field shows its placeholder in one line, which does not count as what it could be scrolled to.
    const pen = document.createElement('canvas').getContext('2d');
    for (const it of top.querySelectorAll<HTMLInputElement>('input[placeholder]')) {
      if (!isSeen(it) || it.value !== '') continue;
      const { font, letterSpacing, paddingLeft, paddingRight } = getComputedStyle(it);
      const space = it.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      Object.assign(pen ?? {}, { font, letterSpacing });
      const width = pen?.measureText(it.placeholder).width ?? Infinity;
      if (width > space + 1)
        faults.push(`cut: placeholder "${it.placeholder}", ${Math.ceil(width)} px in ${Math.floor(space)}`);
    }

    // Of these the box stands in the label, and the control itself is out of sight.
    const inLabel = 'input[type=radio], input[type=checkbox]';
    const controls = `button, a[href], input:not(${inLabel}), label:has(${inLabel}), select, textarea, summary, [role=tab]`;
    // Parts of a chart stand where their values are; a panel lies over a list where a window is narrow.
    const chart = '.history-lanes__mark';
    const overlay = '.manage__side, .live__panel--over';
    for (const it of top.querySelectorAll<HTMLElement>(controls)) {
      if (!isSeen(it) || it.matches(chart)) continue;
      const box = it.getBoundingClientRect();
      const { clip, scrolls } = clipOf(it);
      const isOutside =
        box.left < clip.left - 1 ||
        box.right > clip.right + 1 ||
        box.top < clip.top - 1 ||
        box.bottom > clip.bottom + 1;
      if (isOutside) {
        if (!scrolls) faults.push(`out of sight: ${nameOf(it)}`);
        continue;
      }
      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      const label = it.closest('label') ?? (it as HTMLInputElement).labels?.[0] ?? it;
      const isReached =
        hit === null ||
        hit.closest(overlay) !== it.closest(overlay) ||
        it.contains(hit) ||
        hit.contains(it) ||
        label.contains(hit) ||
        hit.contains(label);
      if (!isReached) faults.push(`covered: ${nameOf(it)} by ${nameOf(hit)}`);
    }
    return [...new Set(faults)];
  });
}

/**
 * Containers that clip what they hold and could still be scrolled, by the focus for one: nothing scrolls them back.
 * `overflow: clip` has no such state.
 */
export function hiddenScrollers(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (it: Element) => `${it.tagName.toLowerCase()}.${[...it.classList].join('.')}`;
    const canFocus = 'a[href], button, input, select, textarea, summary, canvas, [tabindex]';
    const faults: string[] = [];
    for (const it of document.querySelectorAll('*')) {
      const isPage = it === document.scrollingElement;
      const { overflowX, overflowY } = getComputedStyle(it);
      const tooHigh = it.scrollHeight > it.clientHeight + 1 && (isPage || overflowY === 'hidden');
      const tooWide = it.scrollWidth > it.clientWidth + 1 && (isPage || overflowX === 'hidden');
      // What is only spoken is hidden in a box of one pixel.
      if (it.clientWidth > 1 && (tooHigh || tooWide) && it.querySelector(canFocus) !== null)
        faults.push(
          `${nameOf(it)} ${it.scrollWidth}x${it.scrollHeight} in ${it.clientWidth}x${it.clientHeight}`,
        );
    }
    return faults;
  });
}
