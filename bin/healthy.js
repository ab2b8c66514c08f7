// The container's health check: plain HTTP reaches the control API of an HTTPS mock as well.
const answer = await fetch('http://127.0.0.1:4010/__admin/health');
process.exitCode = answer.ok ? 0 : 1;
