import { type ConsoleOptions, type ConsoleServer, startConsole } from './console.ts'
import { type InstanceServer, startInstance } from './instance.ts'
import { freePort } from './temporary.ts'

export interface ConsoleWithInstance extends ConsoleServer {
  readonly instance: InstanceServer
}

/**
 * A console with a local instance, as run by `npm start`: connected by settings only. The instance logs each management
 * call.
 */
export async function startConsoleWithInstance(options: ConsoleOptions = {}): Promise<ConsoleWithInstance> {
  const port = options.port ?? (await freePort())
  const instance = await startInstance({
    CADMUS_OIDC_ISSUER: `http://localhost:${port}/oidc`,
    CADMUS_LOG_LEVEL: 'info',
  })
  try {
    const allowed = [instance.url, options.env?.['CADMUS_ALLOWED_INSTANCES'] ?? ''].filter(url => url !== '')
    const env = { ...options.env, ...instance.hosted, CADMUS_ALLOWED_INSTANCES: allowed.join(',') }
    const server = await startConsole({ ...options, port, env })
    return {
      ...server,
      instance,
      stop: async () => {
        await Promise.all([instance.stop(), server.stop()])
      },
    }
  } catch (error) {
    await instance.stop()
    throw error
  }
}
