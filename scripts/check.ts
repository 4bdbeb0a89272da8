// `npm run check`: the checks that do not run any tests.
import { runStages } from './stages.ts'
import { staticChecks } from './static-checks.ts'

process.exitCode = await runStages([staticChecks()])
