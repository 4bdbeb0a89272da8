// `npm run check`: what can be judged without running anything, in seconds.
import { runStages } from './stages.ts'
import { staticChecks } from './static-checks.ts'

process.exitCode = await runStages([staticChecks()])
