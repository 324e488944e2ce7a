import { useEffect, useRef } from 'react';

/**
 * The place of the console's map in the page. `mount` builds the map in the element and returns its undo; it is called
 * once for as long as it stays the same function.
 */
export function MapView({ mount }: { mount: (element: HTMLElement) => () => void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => (element.current ? mount(element.current) : undefined), [mount]);
  return <div ref={element} style={{ width: '100%', height: '100%' }} />;
}
