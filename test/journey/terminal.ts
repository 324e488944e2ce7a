import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A tracker that speaks the OsmAnd protocol over a real connection that it keeps. */
export interface Terminal {
  /** Sends one message in the query; resolves with the status of the answer, rejects when there is none. */
  send(parameters: Parameters): Promise<number>;
  call(options: {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string;
  }): Promise<{ status: number; body: string }>;
  close(): void;
}

export type Parameters = Record<string, string | number | boolean>;

/** @param connections at once; one terminal has one, a fleet may share some */
export function createTerminal(intakeUrl: string, connections = 1): Terminal {
  const { hostname, port } = new URL(intakeUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  const call: Terminal['call'] = ({ method = 'GET', path = '/', headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const sent = request({ agent, hostname, port, method, path, headers }, (answer) => {
        text(answer).then((said) => resolve({ status: answer.statusCode ?? 0, body: said }), reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });

  return {
    call,
    async send(parameters) {
      const query = new URLSearchParams(
        Object.entries(parameters).map(([key, value]) => [key, String(value)]),
      );
      return (await call({ path: `/?${query.toString()}` })).status;
    },
    close: () => agent.destroy(),
  };
}
