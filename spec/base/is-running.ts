/** Whether there is a process of that id. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user is there all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
