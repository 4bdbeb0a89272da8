import { defineConfig } from 'vitest/config'

// The tests of one area, chosen by scripts/mutate.ts.
export default defineConfig({
  test: {
    include: (process.env['CADMUS_MUTATE_TESTS'] ?? '').split(' '),
    setupFiles: './testing/src/seed-setup.ts',
    globalSetup: ['./testing/src/vitest-setup.ts'],
  },
})
