/** Hands questions to worker threads, one on each core, as they become free. */
import { availableParallelism } from 'node:os';
import { type MessagePort, Worker } from 'node:worker_threads';

/** What a worker posts: that it can begin, an answer, or why there is none. */
export type WorkerMessage<Answer> =
  | 'ready'
  | Answer
  | { readonly id: string; readonly failed: string };

/** The answers, in no order. Rejects where a worker fails at one. */
export function shareOut<Answer extends { readonly id: string }>(
  worker: URL,
  questions: readonly string[],
  onProgress: (done: number, of: number, answer: Answer) => void,
  workerData?: unknown,
): Promise<Answer[]> {
  const waiting = [...questions];
  const answers: Answer[] = [];
  const count = Math.min(availableParallelism(), Math.max(1, questions.length));
  return new Promise((resolve, reject) => {
    if (questions.length === 0) resolve([]);
    const workers = Array.from({ length: count }, () => new Worker(worker, { workerData }));
    const end = (error?: Error) => {
      for (const one of workers) void one.terminate();
      if (error === undefined) resolve(answers);
      else reject(error);
    };
    for (const one of workers) {
      one.on('error', end);
      one.on('message', (message: WorkerMessage<Answer>) => {
        if (message !== 'ready') {
          if ('failed' in message) {
            end(new Error(`it broke off at ${message.id}: ${message.failed}`));
            return;
          }
          answers.push(message);
          onProgress(answers.length, questions.length, message);
          if (answers.length === questions.length) end();
        }
        const next = waiting.shift();
        if (next !== undefined) one.postMessage(next);
      });
    }
  });
}

/** The worker's side: answers what it is sent, one at a time. */
export function answerAll<Answer>(
  port: MessagePort,
  answer: (id: string) => Promise<Answer>,
): void {
  port.on('message', (id: string) => {
    answer(id).then(
      (given) => port.postMessage(given),
      (error: unknown) => port.postMessage({ id, failed: String((error as Error).stack ?? error) }),
    );
  });
  port.postMessage('ready');
}
