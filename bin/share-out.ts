/** Hands questions to worker threads, one on each core, as they become free. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { type MessagePort, Worker } from 'node:worker_threads';

/** The answers, in the order of the questions. Rejects where a worker fails at one. */
export async function shareOut<Answer>(
  worker: URL,
  questions: readonly string[],
  onProgress: (done: number, of: number, answer: Answer) => void,
  workerData?: unknown,
): Promise<Answer[]> {
  const count = Math.min(availableParallelism(), questions.length);
  const workers = Array.from({ length: count }, () => new Worker(worker, { workerData }));
  const answers: Answer[] = [];
  const waiting = questions.entries();
  let done = 0;
  const keepBusy = async (one: Worker): Promise<void> => {
    for (const [place, question] of waiting) {
      one.postMessage(question);
      const [answer] = await once(one, 'message');
      answers[place] = answer;
      done += 1;
      onProgress(done, questions.length, answer);
    }
  };
  try {
    await Promise.all(workers.map(keepBusy));
    return answers;
  } finally {
    for (const one of workers) void one.terminate();
  }
}

/** The worker's side: answers what it is sent, one at a time. */
export function answerAll<Answer>(
  port: MessagePort,
  answer: (id: string) => Promise<Answer>,
): void {
  port.on('message', async (id: string) => {
    try {
      port.postMessage(await answer(id));
    } catch (error) {
      throw new Error(`it broke off at ${id}: ${String((error as Error).stack ?? error)}`);
    }
  });
}
