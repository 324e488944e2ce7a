import { type MouseEvent, type TouchEvent, useEffect, useRef, useState } from 'react';
import { Popover } from 'react-aria-components';
import { MenuEntries } from './MenuEntries.tsx';
import type { ContextMenuState } from './menuEntry.ts';

/** The menu that was asked for by the secondary button, the menu key, Shift F10 or a long press. */
export function ContextMenu({ menu, onClose }: { menu: ContextMenuState; onClose: () => void }) {
  const place = useRef<HTMLSpanElement>(null);
  // Where the keys were before goes on having them, unless the command opened something that takes them.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
      });
    },
    [before],
  );
  return (
    <>
      <span ref={place} className="context-menu__place" style={{ left: menu.x, top: menu.y }} />
      <Popover
        className="popover"
        triggerRef={place}
        placement="bottom start"
        offset={0}
        isOpen
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
      >
        <MenuEntries label={menu.label} sections={menu.sections} autoFocus onClose={onClose} />
      </Popover>
    </>
  );
}

/** As long as Android and iOS take for a long press. */
const LONG_PRESS_MS = 500;
const MOVED_PX = 8;

/** Where a menu was asked for, and on which element. */
interface MenuRequest {
  x: number;
  y: number;
  target: Element;
}

/**
 * What an element listens with for the menus of its parts. The browser's own menu stays for text fields, and with Ctrl.
 *
 * @param open answers whether it opened a menu
 * @param placeOf where the part lies that has the keys, when a key asked; the element itself without one
 */
export function useMenuRequests(
  open: (request: MenuRequest) => boolean,
  placeOf: () => Element | null = () => null,
) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const end = () => {
    if (press.current !== null) clearTimeout(press.current.timer);
    press.current = null;
  };
  useEffect(() => end, []);
  return {
    onContextMenu(event: MouseEvent) {
      const { target } = event;
      if (event.defaultPrevented || !(target instanceof Element) || leavesToBrowser(event)) return;
      end();
      // The menu key and Shift F10 press no button.
      const byKey = event.button !== 2 && !event.ctrlKey;
      const part = byKey ? (placeOf() ?? target) : target;
      const { left, bottom } = part.getBoundingClientRect();
      const at = byKey ? { x: left + 24, y: bottom } : { x: event.clientX, y: event.clientY };
      if (open({ ...at, target: part })) event.preventDefault();
    },
    // Not every browser makes a secondary click of a long press.
    onTouchStart({ touches, target }: TouchEvent) {
      end();
      const touch = touches.item(0);
      if (touches.length !== 1 || !(target instanceof Element)) return;
      const { clientX: x, clientY: y } = touch;
      press.current = { x, y, timer: setTimeout(() => open({ x, y, target }), LONG_PRESS_MS) };
    },
    onTouchMove({ touches }: TouchEvent) {
      const began = press.current;
      if (began === null || touches.length === 0) return;
      const touch = touches.item(0);
      if (Math.hypot(touch.clientX - began.x, touch.clientY - began.y) > MOVED_PX) end();
    },
    onTouchEnd: end,
    onTouchCancel: end,
  };
}

/** On macOS, Ctrl and the primary button are the secondary one. */
function leavesToBrowser({
  target,
  ctrlKey,
  button,
}: Pick<MouseEvent, 'target' | 'ctrlKey' | 'button'>): boolean {
  if (ctrlKey && button === 2) return true;
  return target instanceof Element && target.closest('input, textarea, [contenteditable=true]') !== null;
}
