// `npm start`: builds the web app, the threads' code and the instance if their sources changed, and runs the console
// with its embedded store, the development sign-in and the demo data, and a local instance to which packages are
// published, until Ctrl-C.
import { join } from 'node:path'
import { buildAll } from './build-all.ts'
import { INSTANCE } from './instance-build.ts'
import { compiled, consoleUrlOf, localInstance } from './local-instance.ts'
import { isEnding, ROOT, runTogether } from './processes.ts'
import { occupiedUrl, whenAllAnswer } from './when-all-answer.ts'

const { built, problem } = await buildAll()
if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}
if (built.length > 0) console.log(`Built: ${built.join(', ')}.`)
const consoleUrl = consoleUrlOf(process.env)
const local = localInstance(process.env, consoleUrl)
const urls = [consoleUrl, ...(local === null ? [] : [local.url])]
const occupied = await occupiedUrl(urls)
if (occupied !== undefined) {
  console.error(
    `Cadmus cannot start: another server already runs at ${occupied}. Stop it, or choose other ports with CADMUS_PORT and CADMUS_INSTANCE_PORT and another folder with CADMUS_DATA_DIR.`,
  )
  process.exit(1)
}
const running = runTogether([
  { args: [join(ROOT, 'apps/server/src/main.ts')], env: { ...local?.console } },
  ...(local === null ? [] : [{ args: [INSTANCE], env: { ...compiled, ...local.instance } }]),
])
void whenAllAnswer(urls, isEnding).then(areReady => {
  if (!areReady) return
  console.log(
    `Cadmus runs at ${consoleUrl}${local === null ? '' : `, its local instance at ${local.url}`}. Press Ctrl-C to stop.`,
  )
})
process.exitCode = await running
