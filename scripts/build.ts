// `npm run build`: the page, if a source changed since the last build.
import { buildWeb } from './web-build.ts'

const { built, problem } = await buildWeb()
if (problem !== undefined) console.error(`The page could not be built.\n${problem}`)
else console.log(built ? 'The page was built.' : 'The page is up to date.')
process.exitCode = problem === undefined ? 0 : 1
