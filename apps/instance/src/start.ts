import type { AddressInfo } from 'node:net'
import type { Config } from './config.ts'
import { type Context, type ContextOptions, createContext } from './context.ts'
import type { Protocol } from './http/protocols.ts'
import { createServer } from './http/server.ts'

/** Time limit for running requests at shutdown, in milliseconds. */
const timeout = 3000

export type Running = { readonly context: Context; readonly close: () => Promise<void> }

/** Starts an instance: restores its packages and listens. */
export async function startInstance(
  config: Config,
  options: ContextOptions & { protocols?: readonly Protocol[]; stalled?: number | undefined } = {},
): Promise<Running> {
  const context = await createContext(config, options)
  try {
    const app = await createServer(context, options.protocols, options.stalled)
    await context.packages.restore()
    await app.listen({ host: config.host, port: config.port })
    context.opened(portOf(app.server.address()))
    return {
      context,
      async close() {
        // A request that never ends must not block the shutdown.
        const closing = setTimeout(() => app.server.closeAllConnections(), timeout)
        await app.close()
        clearTimeout(closing)
        await context.close()
      },
    }
  } catch (error) {
    await context.close()
    throw error
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The instance does not listen on a port.')
  return address.port
}
