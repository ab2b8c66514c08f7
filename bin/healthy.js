// The container's health check, of a mock or of a proxy. Plain HTTP reaches the control API of an HTTPS mock as well.
const asked = [4010, 4011].map((port) => fetch(`http://127.0.0.1:${port}/__admin/health`));
const answer = await Promise.any(asked);
process.exitCode = answer.ok ? 0 : 1;
