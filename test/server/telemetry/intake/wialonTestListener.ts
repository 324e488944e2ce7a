import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { MonitoredListener } from '../../../../server/telemetry/intake/listenerContext.ts';
import { listenTcpAndUdp } from '../../../../server/telemetry/intake/listenTcpAndUdp.ts';
import { createWialon } from '../../../../server/telemetry/intake/wialonHandler.ts';
import {
  connectFakeWialon,
  openFakeWialonUdp,
  type FakeWialon,
  type FakeWialonUdp,
  type WialonData,
  type WialonVersion,
} from '../../../support/fakeWialon.ts';
import { createFakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { createFakeListenerContext, type Answer, type SeenIntake } from './madeUpIntake.ts';

export interface WialonTestListener extends SeenIntake {
  listener: MonitoredListener;
  clock: FakeClock;
  connect(version?: WialonVersion): Promise<FakeWialon>;
  /** Connects and logs in as the terminal that is known. */
  come(version?: WialonVersion): Promise<FakeWialon>;
  udp(): Promise<FakeWialonUdp>;
}

export const imei = '356307042441013';

export const at_ms = Date.UTC(2026, 10, 21, 4, 43);
export const fix: WialonData = { time_ms: at_ms, lat: 56.95, lon: 24.1, speed_kmh: 10, satellites: 9 };
export const later = (seconds: number): WialonData => ({ ...fix, time_ms: at_ms + seconds * 1_000 });

/** A listener on a free port that knows one terminal, with a fake report handler. */
export async function openWialonTestListener(answer?: Answer): Promise<WialonTestListener> {
  const intake = createFakeListenerContext(imei, answer);
  const clock = createFakeClock();
  const log = pino({ level: 'silent' });
  const listener = await listenTcpAndUdp(0, '127.0.0.1', createWialon(intake), {
    accept: intake.accept,
    clock,
    log,
  });
  onTestFinished(() => listener.close());

  async function connect(version?: WialonVersion): Promise<FakeWialon> {
    const terminal = await connectFakeWialon(listener.port, version);
    onTestFinished(() => terminal.abort());
    return terminal;
  }
  return {
    listener,
    clock,
    ...intake.seen,
    connect,
    async come(version) {
      const terminal = await connect(version);
      const answered = await terminal.logIn(imei);
      if (answered !== '#AL#1') throw new Error(`the login was answered ${answered}`);
      return terminal;
    },
    async udp() {
      const sender = await openFakeWialonUdp(listener.port);
      onTestFinished(() => sender.close());
      return sender;
    },
  };
}
