// `npm run dev`: the server, restarted when a source changes, and the page from Vite with everything else passed on to
// the server. The page's address is the public one, so that sign-in returns to it.
import { join } from 'node:path'
import { programOf, ROOT, runTogether } from './processes.ts'
import { removeThreads } from './threads-build.ts'

const PAGE = 'http://localhost:4001'
const api = `http://localhost:${process.env['CADMUS_PORT'] ?? '4000'}`

// What changes while it runs is loaded from its source.
removeThreads()
process.exitCode = await runTogether([
  { args: ['--watch', join(ROOT, 'apps/server/src/main.ts')], env: { CADMUS_PUBLIC_URL: PAGE } },
  { args: [programOf('vite'), join(ROOT, 'apps/web')], env: { CADMUS_DEV_API: api } },
])
