/** `lockstep exam`: every deviation, on all cores. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Answer, passed } from '../conformance/exam.ts';
import { catalogue, deviationsOf } from '../mock/deviations/catalogue.ts';

export interface ExamRun {
  readonly answers: readonly Answer[];
  readonly durationMs: number;
  readonly passed: boolean;
}

/** Runs the exam; `only` narrows it to these deviations. */
export async function runExam(
  only: readonly string[] = [],
  onProgress: (done: number, of: number, answer: Answer) => void = () => {},
): Promise<ExamRun> {
  const start = performance.now();
  const questions = (only.length === 0 ? catalogue : deviationsOf(only)).map(({ id }) => id);
  const answers = await shareOut(questions, onProgress);
  const order = new Map(questions.map((id, index) => [id, index]));
  answers.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  return { answers, durationMs: performance.now() - start, passed: passed(answers) };
}

type Message = 'ready' | Answer | { readonly id: string; readonly failed: string };

/** Hands the questions to the workers as they become free. */
function shareOut(
  questions: readonly string[],
  onProgress: (done: number, of: number, answer: Answer) => void,
): Promise<Answer[]> {
  const waiting = [...questions];
  const answers: Answer[] = [];
  const count = Math.min(availableParallelism(), Math.max(1, questions.length));
  return new Promise((resolve, reject) => {
    if (questions.length === 0) resolve([]);
    const workers = Array.from(
      { length: count },
      () => new Worker(new URL('./exam-worker.ts', import.meta.url)),
    );
    const end = (error?: Error) => {
      for (const worker of workers) void worker.terminate();
      if (error === undefined) resolve(answers);
      else reject(error);
    };
    for (const worker of workers) {
      worker.on('error', end);
      worker.on('message', (message: Message) => {
        if (message !== 'ready') {
          if ('failed' in message) {
            end(new Error(`the exam broke off at ${message.id}: ${message.failed}`));
            return;
          }
          answers.push(message);
          onProgress(answers.length, questions.length, message);
          if (answers.length === questions.length) end();
        }
        const next = waiting.shift();
        if (next !== undefined) worker.postMessage(next);
      });
    }
  });
}
