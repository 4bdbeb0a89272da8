import type { AddressInfo } from 'node:net'
import type { Config } from './config.ts'
import { type Context, type ContextOptions, createContext } from './context.ts'
import type { Protocol } from './http/protocols.ts'
import { createServer } from './http/server.ts'

/** How long answers under way may take once the instance is asked to stop. */
const patience = 3000

export type Running = { readonly context: Context; readonly close: () => Promise<void> }

/** An instance that answers: its packages are as they were, it listens, and knows its public address. */
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
        // A caller that never finishes its request must not keep the others from a clean end.
        const hurry = setTimeout(() => app.server.closeAllConnections(), patience)
        await app.close()
        clearTimeout(hurry)
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
