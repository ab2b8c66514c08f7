/** Whether a process with that id exists. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user also exists.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
