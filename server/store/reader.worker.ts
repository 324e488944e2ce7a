import { workerData } from 'node:worker_threads';
import { openDatabase } from './telemetry/database.ts';
import { asFailure } from './telemetry/failure.ts';
import { runCall } from './telemetry/groupCommit.ts';
import type { Call, ReaderOrders, Reply } from './telemetry/messages.ts';
import { serve } from './telemetry/workerSide.ts';

// Reads beside the writer. Each call sees every commit that was acknowledged before it was made.
serve<null>((line) => {
  const { file } = workerData as ReaderOrders;
  const db = openDatabase(file, { readOnly: true });

  function answer(call: Call): Reply {
    try {
      return { id: call.id, result: runCall(db, call) };
    } catch (error) {
      return { id: call.id, failure: asFailure(error) };
    }
  }

  return {
    ready: null,
    served: {
      onCall: (call) => line.send({ kind: 'replies', replies: [answer(call)] }),
      onClose: () => db.close(),
    },
  };
});
