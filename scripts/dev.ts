// `npm run dev`: the server, restarted on changes, and the web app from Vite, which proxies everything else to the
// server. The public address is Vite's, so that sign-in returns to Vite. Also the local instance, restarted on changes.
import { join } from 'node:path'
import { localInstance } from './local-instance.ts'
import { programOf, ROOT, runTogether } from './processes.ts'
import { removeThreads } from './threads-build.ts'

const PAGE = 'http://localhost:4001'
const api = `http://localhost:${process.env['CADMUS_PORT'] ?? '4000'}`

// Makes the server load changed code from the sources.
removeThreads()
const local = localInstance(process.env, PAGE)
process.exitCode = await runTogether([
  { args: ['--watch', join(ROOT, 'apps/server/src/main.ts')], env: { ...local?.console, CADMUS_PUBLIC_URL: PAGE } },
  ...(local === null
    ? []
    : [{ args: ['--watch', join(ROOT, 'apps/instance/src/main.ts')], env: { ...local.instance } }]),
  { args: [programOf('vite'), join(ROOT, 'apps/web')], env: { CADMUS_DEV_API: api } },
])
