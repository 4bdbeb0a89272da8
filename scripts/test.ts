// `npm test`: all stages, fastest first; continues after a failure so that one run shows all.
import { existsSync } from 'node:fs'
import { getChromium } from '@cadmus/testing/chromium'
import { buildAll } from './build-all.ts'
import { check, runStages } from './stages.ts'
import { staticChecks } from './static-checks.ts'
import { vitestStage } from './vitest-stage.ts'

process.exitCode = await runStages([
  [...staticChecks(), check('build', async () => (await buildAll()).problem ?? '')],
  check('browser', async () => (existsSync(getChromium()) ? '' : 'The browser is missing.')),
  // One run, so that engines start only once. Tests wait for engines and servers: a third worker uses the idle time.
  vitestStage('units, API, proofs', ['unit*', 'proof'], 3),
  // One worker per core, so that no test waits for a processor.
  vitestStage('limits', ['limits'], 2),
  // Page, server and journey wait for each other: a third worker uses the idle time.
  vitestStage('journeys', ['journey'], 3),
])
