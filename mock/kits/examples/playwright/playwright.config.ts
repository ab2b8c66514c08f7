import { defineConfig } from '@playwright/test';

// CHROMIUM names a browser that is installed already; without it, `npx playwright install chromium`.
const executablePath = process.env.CHROMIUM;

export default defineConfig({
  fullyParallel: true,
  workers: 2,
  use: { launchOptions: executablePath === undefined ? {} : { executablePath } },
});
