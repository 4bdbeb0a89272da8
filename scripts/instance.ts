// `npm run instance`: an instance alone, for packages of any console, until Ctrl-C.
import { join } from 'node:path'
import { compiled } from './local-instance.ts'
import { ROOT, runTogether } from './processes.ts'

process.exitCode = await runTogether([{ args: [join(ROOT, 'apps/instance/src/main.ts')], env: compiled }])
