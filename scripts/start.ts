// `npm start`: the page and the threads' code built from their sources as they are, and the console with its embedded store,
// the development sign-in and the demo data, until Ctrl-C.
import { join } from 'node:path'
import { buildAll } from './build-all.ts'
import { ROOT, runTogether } from './processes.ts'

const { built, problem } = await buildAll()
if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}
if (built.length > 0) console.log(`Built: ${built.join(', ')}.`)
process.exitCode = await runTogether([{ args: [join(ROOT, 'apps/server/src/main.ts')] }])
