import { workerData } from 'node:worker_threads';
import { createCheckpoints } from './telemetry/checkpoints.ts';
import { asFailure } from './telemetry/failure.ts';
import { watchPlace } from './telemetry/fileIdentity.ts';
import { commitGroup } from './telemetry/groupCommit.ts';
import type { Call, Reply, WriterCommands, WriterReady } from './telemetry/messages.ts';
import { openWriter } from './telemetry/openWriter.ts';
import { serve } from './telemetry/workerSide.ts';

// Owns the database: nobody else writes it. Calls that came while a commit was under way share the next one.
serve<WriterReady>((line) => {
  const orders = workerData as WriterCommands;
  const { db, ready } = openWriter(orders);
  const checkpoints = createCheckpoints(db, orders, (error) =>
    line.send({ kind: 'warning', detail: `checkpoint: ${String(error)}` }),
  );
  // A process that was killed has left a log.
  checkpoints.consider();
  const whatIsWrong = watchPlace(orders.file);
  const waiting: Call[] = [];
  let isDue = false;

  function commitWaiting(): void {
    isDue = false;
    if (waiting.length === 0) return;
    line.send({ kind: 'replies', replies: commit() });
    checkpoints.consider();
    // Not in a loop: calls that have come meanwhile are to join the next group.
    if (waiting.length > 0) commitSoon();
  }

  function commit(): Reply[] {
    try {
      const fault = whatIsWrong();
      if (fault !== null) throw new Error(fault);
    } catch (error) {
      return waiting.splice(0).map(({ id }) => ({ id, failure: asFailure(error) }));
    }
    return commitGroup(db, waiting, () => performance.now());
  }

  function commitSoon(): void {
    if (isDue) return;
    isDue = true;
    setImmediate(commitWaiting);
  }

  return {
    ready,
    served: {
      onCall(call) {
        waiting.push(call);
        commitSoon();
      },
      onClose() {
        while (waiting.length > 0) commitWaiting();
        checkpoints.stop();
        db.close();
      },
    },
  };
});
