import { TimeOfDay } from '../ui/Moment.tsx';

/** A moment of the contract (RFC 3339), with its day unless it is today. */
export function Moment({ at }: { at: string }) {
  return <TimeOfDay at={Date.parse(at)} withDate />;
}
