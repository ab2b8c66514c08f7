/** Distributes questions to worker threads, one thread for each core. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { type MessagePort, Worker } from 'node:worker_threads';

interface Failure {
  readonly failed: string;
}

/** The answers, in the order of the questions. Rejects if a worker fails. */
export async function shareOut<Answer extends object>(
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
      const answer: Answer | Failure = (await once(one, 'message'))[0];
      if ('failed' in answer) throw new Error(`it broke off at ${question}: ${answer.failed}`);
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

/** Prints the number of answers to stderr; `last` is the newest. */
export function tellProgress(done: number, of: number, last = ''): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K[${done}/${of}] ${last}`);
  else if (done % 100 === 0) process.stderr.write(`[${done}/${of}]\n`);
}

/** The worker's side: answers the questions that it receives, one at a time. */
export function answerAll<Answer>(
  port: MessagePort,
  answer: (id: string) => Promise<Answer>,
): void {
  port.on('message', (id: string) => {
    answer(id).then(
      (given) => port.postMessage(given),
      (error: unknown) => port.postMessage({ failed: String((error as Error).stack ?? error) }),
    );
  });
}
