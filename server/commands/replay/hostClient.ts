import type { z } from 'zod';
import { loginResponse } from '../../contract/auth.ts';
import { problem } from '../../contract/problem.ts';
import { status } from '../../contract/settings.ts';
import { vehicleRoutes } from '../../contract/vehicles.ts';
import { ReplayProblem } from './replayOptions.ts';

export interface NewTerminal {
  terminal_id: string;
  name: string;
}

const login = loginResponse.pick({ jwt: true });
const saidNo = problem.pick({ title: true, detail: true });
const intakeStatus = status.pick({ intake: true });

export type HostClient = Awaited<ReturnType<typeof logIn>>;

/**
 * A running host, as a logged-in dealer sees it. Each method throws ReplayProblem when the host does not answer, or
 * says no.
 */
export async function logIn(baseUrl: string, credentials: { login: string; password: string }) {
  const { jwt } = await call(baseUrl, '/auth/login?jwt=1', { body: credentials, reply: login });
  return {
    /** The address of the host's OsmAnd intake. @throws ReplayProblem when it has none. */
    async osmandIntake(): Promise<string> {
      const { intake } = await call(baseUrl, '/api/v1/status', { jwt, reply: intakeStatus });
      if (intake.osmand === null) throw new ReplayProblem(`the host at ${baseUrl} has no OsmAnd intake`);
      const address = new URL(baseUrl);
      return `http://${address.hostname}:${intake.osmand.port}/`;
    },
    /** In one call. @throws ReplayProblem when a row is invalid. */
    async createVehicles(vehicles: NewTerminal[]): Promise<{ created: number; exists: number }> {
      const reply = await call(baseUrl, vehicleRoutes.import.path, {
        jwt,
        body: vehicles,
        reply: vehicleRoutes.import.reply,
      });
      const fault = reply.results.find((row) => row.status === 'invalid')?.errors[0];
      if (fault !== undefined)
        throw new ReplayProblem(`the host refuses a vehicle: ${fault.path} ${fault.message}`);
      return { created: reply.created, exists: reply.exists };
    },
  };
}

interface Call<Reply> {
  jwt?: string;
  body?: unknown;
  reply: z.ZodType<Reply>;
}

async function call<Reply>(baseUrl: string, path: string, { jwt, body, reply }: Call<Reply>): Promise<Reply> {
  const response = await fetch(new URL(path, baseUrl), {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(jwt === undefined ? {} : { authorization: `JWT ${jwt}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new ReplayProblem(`the host at ${baseUrl} does not answer (${causeOf(error)})`);
  });
  const json: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const said = saidNo.safeParse(json);
    throw new ReplayProblem(
      `the host answers ${response.status}${said.success ? `: ${said.data.detail || said.data.title}` : ''} (${path})`,
    );
  }
  const parsed = reply.safeParse(json);
  if (!parsed.success) throw new ReplayProblem(`what answers at ${baseUrl} is no Fleetdeck host (${path})`);
  return parsed.data;
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
