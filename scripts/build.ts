// `npm run build`: the web app, the code of the server's threads and the instance, each if a source changed since the
// last build.
import { buildAll } from './build-all.ts'

const { built, problem } = await buildAll()
if (problem !== undefined) console.error(problem)
else console.log(built.length === 0 ? 'Everything is up to date.' : `Built: ${built.join(', ')}.`)
process.exitCode = problem === undefined ? 0 : 1
