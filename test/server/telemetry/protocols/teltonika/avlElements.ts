import {
  forEachElement,
  type AvlRecord,
  type Elements,
} from '../../../../../server/telemetry/protocols/teltonika/avlRecords.ts';

/** Elements of a record in the order in which they are read, their values in hex. */
export function elementsOf(io: Elements): [id: number, hex: string][] {
  const elements: [number, string][] = [];
  forEachElement(io, (id, at, length) => elements.push([id, io.bytes.toString('hex', at, at + length)]));
  return elements;
}

/** A record apart from the packet that it stands in. */
export function publishedIn({ io, ...record }: AvlRecord) {
  return { ...record, io: elementsOf(io) };
}
