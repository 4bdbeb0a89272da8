import type { FastifyInstance } from 'fastify'
import { isLoopbackName } from '../config.ts'
import { HttpError } from '../http-error.ts'

export type Place = { readonly publicUrl: URL; readonly port: number }

/** Refuses requests that were sent to another name than ours: what a page with a rebound DNS name would send. */
export function checkHosts(app: FastifyInstance, place: Place): void {
  app.addHook('onRequest', (request, _reply, next) => {
    if (isOurHost(request.headers.host, place)) next()
    else next(new HttpError(421, 'This instance does not answer under that name.'))
  })
}

function isOurHost(host: string | undefined, { publicUrl, port }: Place): boolean {
  if (host === undefined) return false
  if (host.toLowerCase() === publicUrl.host) return true
  if (!URL.canParse(`http://${host}`)) return false
  const asked = new URL(`http://${host}`)
  return isLoopbackName(asked.hostname) && (asked.port === '' ? 80 : Number(asked.port)) === port
}
