import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { keepUnhandledError } from './scripts/unhandled-errors.ts'

// Starts each engine that test files share once, on its first use.
const SETUP = ['./testing/src/vitest-setup.ts']
const EXCLUDE = [...configDefaults.exclude, '**/dist/**', 'bench/peers/**']

// Resolved as by Node and the bundler; a second copy would refuse the schemas of the first.
const ALIAS = [{ find: /^graphql$/, replacement: 'graphql/index.js' }]

// Only end what hangs: on a busy machine results may take many times as long.
const PATIENT = { poll: { timeout: 60_000, interval: 20 } }
const LIMITS = { testTimeout: 180_000, hookTimeout: 180_000, expect: PATIENT }
const UNIT = {
  alias: ALIAS,
  globalSetup: SETUP,
  setupFiles: './testing/src/seed-setup.ts',
  ...LIMITS,
}

const PROVING = process.env['CADMUS_PROVE'] === '1'

/** Parts of the page whose modules hold state: each file loads new modules. */
const STATEFUL = 'apps/web/src/{api,drafts,problems}/**/*.test.ts'

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
          // Files share imported modules: loading the server for each file took a third of the time. No module of the
          // server holds state.
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
          exclude: [...EXCLUDE, STATEFUL, '**/*.proof.test.ts'],
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
          // These tests assert time, memory or size.
          isolate: false,
          include: ['limits/**/*.test.ts'],
          exclude: EXCLUDE,
        },
      },
      {
        test: {
          name: 'proof',
          alias: ALIAS,
          globalSetup: SETUP,
          setupFiles: './testing/src/proof-setup.ts',
          include: ['**/*.proof.test.ts'],
          exclude: EXCLUDE,
          testTimeout: 3_600_000,
          hookTimeout: 120_000,
          // With full counts the proofs measure time, so they run one after the other, each in a process of its own.
          isolate: PROVING,
          fileParallelism: !PROVING,
        },
      },
      {
        test: {
          name: 'journey',
          globalSetup: [...SETUP, './journeys/driver/built.ts'],
          // Files share imported modules: each has its own console and browser, and the driver's modules hold no state.
          isolate: false,
          include: ['journeys/**/*.test.ts'],
          exclude: [...EXCLUDE, '**/*.proof.test.ts'],
          ...LIMITS,
        },
      },
    ],
  },
})
