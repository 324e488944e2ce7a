import type { ReadyHost } from '../journey/hostProcess.ts';
import type { Random } from './random.ts';
import type { Ledger } from './ledger.ts';
import { pause } from './connection.ts';
import type { Fix, Plan } from './plan.ts';
import type { Mischief, TerminalClient } from './terminalClient.ts';
import type { Counters } from './counters.ts';

export interface RideDeps {
  speaker: TerminalClient;
  plan: Plan;
  ledger: Ledger;
  tally: Counters;
  dice: Random;
  /** Where the host listens at this moment; null: it is gone, and comes again. */
  host: () => ReadyHost | null;
  /** Whether there is more to be said; once not, all that is left is said until it is acknowledged. */
  goesOn: () => boolean;
  /** Between two messages, about, in ms. */
  paceMs: number;
  /** How much of what is sent comes to grief on its way, 0 to 1. */
  roughness: number;
}

interface Message {
  fixes: Fix[];
  /** How many turns it is held back; a terminal without network keeps what it has to say. */
  heldFor: number;
  wasSent: boolean;
}

const misfortunes: readonly [Mischief, ...Mischief[]] = [
  ...(['cut', 'cut', 'deaf', 'deaf', 'half_open', 'damaged', 'damaged'] as const),
  ...(['dribble', 'twice', 'twice', 'noise'] as const),
];
const maxWaiting = 60;
const maxRemembered = 40;
/** Such a message is split in two by a terminal that failed to send it. */
const splitChance = 0.2;
/** As often a terminal says again what was acknowledged. */
const repeatChance = 0.06;

/** Rides one virtual terminal; resolves when all that it meant to say has been acknowledged. */
export async function runTerminal(deps: RideDeps): Promise<void> {
  const { speaker, plan, ledger, tally, dice, host, goesOn, paceMs, roughness } = deps;
  const { terminalId } = speaker;
  let waiting: Message[] = [];
  const remembered: Fix[][] = [];

  function think(): void {
    const fixes = plan.next(1 + Math.floor(dice.next() ** 2 * speaker.maxFixes));
    if (fixes.length === 0) return;
    for (const fix of fixes) {
      ledger.mean(terminalId, fix, speaker.saidOf(fix));
      tally.add(fix.isHopeless ? 'positions at impossible places' : 'positions meant');
    }
    const heldFor = dice.chance(0.15) ? dice.whole(5, 80) : 0;
    // The newest first by some, the oldest first by others.
    waiting.push({ fixes: dice.chance(0.2) ? dice.shuffled(fixes) : fixes, heldFor, wasSent: false });
  }

  async function send(message: Message, to: ReadyHost, faultInjection: Mischief): Promise<void> {
    tally.add(`messages by ${speaker.kind}`);
    if (faultInjection !== 'none') tally.add(`misfortunes: ${faultInjection}`);
    if (message.wasSent) tally.add('messages sent again');
    message.wasSent = true;
    if (!(await speaker.deliver(message.fixes, to, faultInjection))) return;
    tally.add('acknowledgements');
    tally.add('positions acknowledged', message.fixes.length);
    waiting = waiting.filter((it) => it !== message);
    remembered.push(message.fixes);
    if (remembered.length > maxRemembered) remembered.shift();
  }

  function splitSome(): void {
    waiting = waiting.flatMap((it) => {
      if (!it.wasSent || it.fixes.length < 2 || !dice.chance(splitChance)) return [it];
      const middle = dice.whole(1, it.fixes.length - 1);
      return [it.fixes.slice(0, middle), it.fixes.slice(middle)].map((fixes) => ({ ...it, fixes }));
    });
  }

  while (goesOn() || waiting.length > 0) {
    const isRiding = goesOn();
    if (isRiding && waiting.length < maxWaiting) think();
    const to = host();
    if (to === null) {
      await pause(100);
      continue;
    }
    for (const message of waiting) message.heldFor = isRiding ? message.heldFor - 1 : 0;
    const ready = dice.shuffled(waiting.filter((it) => it.heldFor <= 0));
    const turn = ready.slice(0, dice.whole(1, speaker.parallel));
    const sends = turn.map((message) =>
      send(message, to, isRiding && dice.chance(roughness) ? dice.pick(misfortunes) : 'none'),
    );
    const old = remembered[dice.whole(0, maxRemembered - 1)];
    if (old !== undefined && dice.chance(repeatChance)) {
      tally.add('acknowledged messages said again');
      sends.push(speaker.deliver(old, to, 'none').then(() => undefined));
    }
    const left = waiting.length;
    await Promise.all(sends);
    if (waiting.length === left) splitSome();
    await pause(isRiding ? dice.whole(0, 2 * paceMs) : dice.whole(0, 20));
  }
  speaker.hangUp();
}
