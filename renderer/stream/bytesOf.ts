import { UnexpectedAnswer } from '../api/errors.ts';

/** The body of an answer, chunk by chunk; by the reader, since not every browser can iterate over a stream. */
export async function* bytesOf(response: Response): AsyncIterable<Uint8Array> {
  if (response.body === null)
    throw new UnexpectedAnswer('the stream has no body', response.headers.get('X-Request-Id'));
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
