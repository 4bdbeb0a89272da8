import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { keepUnhandledError } from './scripts/unhandled-errors.ts'

// Starts the engines that test files share, once and only when one of them asks.
const SETUP = ['./testing/src/vitest-setup.ts']
const EXCLUDE = [...configDefaults.exclude, '**/dist/**', 'bench/peers/**']

// A machine with other things to do shows what is expected later than in a second.
const PATIENT = { poll: { timeout: 10_000 } }
const UNIT = {
  globalSetup: SETUP,
  setupFiles: './testing/src/seed-setup.ts',
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: PATIENT,
}

/** Parts of the page whose modules hold state: each file loads them anew. */
const STATEFUL = 'apps/web/src/{api,drafts}/**/*.test.ts'

// Run one by one: `vitest run --project unit packages/model`.
export default defineConfig({
  test: {
    maxWorkers: 2,
    // V8 may end a process with many threads on processors that have these keys ('Check failed: jit_page.has_value()').
    execArgv: ['--no-memory-protection-keys'],
    onUnhandledError: keepUnhandledError,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...UNIT,
          name: 'unit',
          // Files share what they import: to load the server anew for each took a third of the time. Nothing in it is kept by modules.
          isolate: false,
          include: [
            'packages/**/*.test.ts',
            'apps/{server,instance}/**/*.test.ts',
            'testing/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: [...EXCLUDE, '**/*.proof.test.ts'],
        },
      },
      {
        test: {
          ...UNIT,
          name: 'unit-web',
          isolate: false,
          include: ['apps/web/**/*.test.{ts,tsx}'],
          exclude: [...EXCLUDE, STATEFUL],
        },
      },
      {
        test: {
          ...UNIT,
          name: 'unit-alone',
          include: [STATEFUL, 'scripts/**/*.test.ts'],
          exclude: EXCLUDE,
        },
      },
      {
        test: {
          ...UNIT,
          name: 'limits',
          // They assert time, memory or size.
          isolate: false,
          include: ['limits/**/*.test.ts'],
          exclude: EXCLUDE,
        },
      },
      {
        test: {
          name: 'proof',
          globalSetup: SETUP,
          setupFiles: './testing/src/proof-setup.ts',
          include: ['**/*.proof.test.ts'],
          exclude: EXCLUDE,
          testTimeout: 3_600_000,
          hookTimeout: 120_000,
          // At full counts proofs measure time: one after the other.
          fileParallelism: process.env['CADMUS_PROVE'] !== '1',
        },
      },
      {
        test: {
          name: 'journey',
          globalSetup: [...SETUP, './journeys/driver/built.ts'],
          // As above: each file has a console and a browser of its own, and the driver keeps nothing of either.
          isolate: false,
          include: ['journeys/**/*.test.ts'],
          exclude: [...EXCLUDE, '**/*.proof.test.ts'],
          testTimeout: 180_000,
          expect: PATIENT,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
