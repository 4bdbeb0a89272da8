import type { FastifyInstance } from 'fastify'
import { isLoopbackName } from '../config.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../errors/api-error.ts'

/** Refuses requests that were sent to another name than ours: what a page with a rebound DNS name would send. */
export function checkHosts(app: FastifyInstance, context: Context): void {
  app.addHook('onRequest', async request => {
    // An address that names a host itself is one for a proxy, which this is not.
    const isForProxy = !request.raw.url?.startsWith('/')
    if (isForProxy || !isOurHost(request.headers.host, context.publicUrl, context.port)) {
      throw new ApiError(421, 'wrong_host', 'This server does not answer under that name.')
    }
  })
}

function isOurHost(host: string | undefined, publicUrl: URL, port: number): boolean {
  if (host === undefined) return false
  if (host.toLowerCase() === publicUrl.host) return true
  if (!onlyHost.test(host) || !URL.canParse(`http://${host}`)) return false
  const asked = new URL(`http://${host}`)
  return isLoopbackName(asked.hostname) && (asked.port === '' ? 80 : Number(asked.port)) === port
}

/** No name of a user before it, no path behind it. */
const onlyHost = /^(?:[^@/?#\\[\]:\s]+|\[[\da-f:.]+\])(?::\d+)?$/i
