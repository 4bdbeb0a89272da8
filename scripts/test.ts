// `npm test`: everything, in the order of what fails soonest, and on after a failure so that one run shows all of them.
import { existsSync } from 'node:fs'
import { getChromium } from '@cadmus/testing/chromium'
import { buildAll } from './build-all.ts'
import { check, runStages } from './stages.ts'
import { staticChecks } from './static-checks.ts'
import { vitestStage } from './vitest-stage.ts'

process.exitCode = await runStages([
  [...staticChecks(), check('build', async () => (await buildAll()).problem ?? '')],
  check('browser', async () => (existsSync(getChromium()) ? '' : 'The browser vanished.')),
  // Engines and servers are waited for: a third file uses what two leave idle.
  vitestStage('units and API', 'unit*', { again: true, workers: 3 }),
  // As many as there are cores: nothing may wait for a processor.
  vitestStage('limits', 'limits', { workers: 2 }),
  vitestStage('proofs, small', 'proof', { workers: 3 }),
  // Page, server and journey wait for each other: a third journey uses what two leave idle.
  vitestStage('journeys', 'journey', { again: true, workers: 3 }),
])
