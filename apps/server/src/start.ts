import type { AddressInfo } from 'node:net'
import { createFirstOrganisations } from './auth/profile.ts'
import type { Config } from './config.ts'
import { type Context, type ContextOptions, createContext } from './context.ts'
import type { Route } from './http/route.ts'
import { createDemoData } from './demo/shop.ts'
import { createServer } from './http/server.ts'
import { startJobRecovery } from './jobs/job-recovery.ts'
import { LibraryMissing, LibraryRefused, loadLibrary } from './library/load-library.ts'
import { expireAllJobs } from './store/job.ts'
import { deleteAllLeases, withLease } from './store/lease.ts'

/** Milliseconds for open answers to finish during a shutdown. */
const closeTimeout = 3000

/** Milliseconds to wait for another server that fills an empty store. */
const startTimeout = 300_000

export type Running = { context: Context; close: () => Promise<void> }

/** Opens the store, listens and sets the public address. Tests of the HTTP layer pass their own `routes`. */
export async function startServer(
  config: Config,
  options: ContextOptions & { routes?: Route[]; stalled?: number } = {},
): Promise<Running> {
  const context = await createContext(config, options)
  let stopRecovery = async () => {}
  try {
    if (context.store.kind === 'sqlite') await expireAll(context)
    await createInitialContent(context)
    stopRecovery = await startJobRecovery(context)
    context.builds.start()
    const app = await createServer(context, options.routes, options.stalled)
    await app.listen({ host: config.host, port: config.port })
    context.opened(portOf(app.server.address()))
    return {
      context,
      async close() {
        // A caller that never finishes its request must not block the shutdown.
        const forceClose = setTimeout(() => app.server.closeAllConnections(), closeTimeout)
        const stopped = stopRecovery()
        await app.close()
        await stopped
        clearTimeout(forceClose)
        await context.close()
      },
    }
  } catch (error) {
    await stopRecovery()
    await context.close()
    throw error
  }
}

/** The embedded store has one process, so all leases and jobs left in it belong to a process that has ended. */
async function expireAll({ store }: Context): Promise<void> {
  await deleteAllLeases(store)
  await expireAllJobs(store.shared)
}

/** Creates the initial content. If several servers start on one store, one creates it and the others wait. */
async function createInitialContent(context: Context): Promise<void> {
  await withLease(
    context.store,
    'start',
    async () => {
      await createFirstOrganisations(context)
      await loadLibrary(context).catch((error: unknown) => {
        // The error is in the log, and the library loaded earlier remains available.
        if (!(error instanceof LibraryRefused || error instanceof LibraryMissing)) throw error
      })
      await createDemoData(context)
    },
    { timeout: startTimeout },
  )
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return address.port
}
