// `npm start`: the page built from its sources as they are, and the console with its embedded store, the development
// sign-in and the demo data, until Ctrl-C.
import { join } from 'node:path'
import { ROOT, runTogether } from './processes.ts'
import { buildWeb } from './web-build.ts'

const { built, problem } = await buildWeb()
if (problem !== undefined) {
  console.error(`The page could not be built.\n${problem}`)
  process.exit(1)
}
if (built) console.log('The page was built.')
process.exitCode = await runTogether([{ args: [join(ROOT, 'apps/server/src/main.ts')] }])
