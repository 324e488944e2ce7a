import { children, textOf, withName, type XmlElement } from './xml.ts';

/** The colours (`#rrggbb`) of the styles that a document shares, by their ids. */
export type KmlColors = ReadonlyMap<string, string>;

export function colorsOfStyles(root: XmlElement): KmlColors {
  const colors = new Map<string, string>();
  for (const style of withName(root, 'Style')) {
    const [id, color] = [style.attributes.get('id'), colorOf(style)];
    if (id !== undefined && color !== null) colors.set(id, color);
  }
  // How it looks while nobody points at it; these refer to the styles above.
  for (const map of withName(root, 'StyleMap')) {
    const id = map.attributes.get('id');
    const normal = children(map, 'Pair').find((it) => textOf(children(it, 'key')[0]) === 'normal');
    const color = normal === undefined ? null : styleColor(normal, colors);
    if (id !== undefined && color !== null) colors.set(id, color);
  }
  return colors;
}

/** Of what holds a style of its own, or names a shared one; null when it has no colour. */
export function styleColor(holder: XmlElement, colors: KmlColors): string | null {
  for (const style of children(holder, 'Style')) {
    const color = colorOf(style);
    if (color !== null) return color;
  }
  const url = textOf(children(holder, 'styleUrl')[0]);
  return url === null ? null : (colors.get(url.slice(url.indexOf('#') + 1)) ?? null);
}

/** The filling's colour if it is filled, else that of the border, else that of the pin. */
function colorOf(style: XmlElement): string | null {
  const [poly] = children(style, 'PolyStyle');
  const isFilled = poly !== undefined && textOf(children(poly, 'fill')[0]) !== '0';
  const parts = [
    isFilled ? poly : undefined,
    children(style, 'LineStyle')[0],
    children(style, 'IconStyle')[0],
  ];
  for (const part of parts) {
    const color = part === undefined ? null : colorOfKml(textOf(children(part, 'color')[0]));
    if (color !== null) return color;
  }
  return null;
}

/** KML writes alpha, blue, green, red. */
function colorOfKml(text: string | null): string | null {
  const digits = /^#?[0-9a-f]{2}([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? '');
  return digits === null ? null : `#${digits[3] ?? ''}${digits[2] ?? ''}${digits[1] ?? ''}`.toLowerCase();
}
