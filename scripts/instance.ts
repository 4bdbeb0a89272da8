// `npm run instance`: builds and runs an instance on its own, for packages of any console, until Ctrl-C.
import { buildInstance, INSTANCE } from './instance-build.ts'
import { compiled } from './local-instance.ts'
import { runTogether } from './processes.ts'

const { problem } = await buildInstance()
if (problem === undefined) process.exitCode = await runTogether([{ args: [INSTANCE], env: compiled }])
else {
  console.error(`The instance could not be built.\n${problem}`)
  process.exitCode = 1
}
