// `npm run dev`: the server, restarted when a source changes, and the page from Vite with everything else passed on to
// the server. The page's address is the public one, so that sign-in returns to it. Beside them the local instance, restarted likewise.
import { join } from 'node:path'
import { localInstance } from './local-instance.ts'
import { programOf, ROOT, runTogether } from './processes.ts'
import { removeThreads } from './threads-build.ts'

const PAGE = 'http://localhost:4001'
const api = `http://localhost:${process.env['CADMUS_PORT'] ?? '4000'}`

// What changes while it runs is loaded from its source.
removeThreads()
const local = localInstance(process.env, PAGE)
process.exitCode = await runTogether([
  { args: ['--watch', join(ROOT, 'apps/server/src/main.ts')], env: { ...local?.console, CADMUS_PUBLIC_URL: PAGE } },
  ...(local === null
    ? []
    : [{ args: ['--watch', join(ROOT, 'apps/instance/src/main.ts')], env: { ...local.instance } }]),
  { args: [programOf('vite'), join(ROOT, 'apps/web')], env: { CADMUS_DEV_API: api } },
])
