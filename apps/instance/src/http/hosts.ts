import type { FastifyInstance } from 'fastify'
import { isLoopbackName } from '../config.ts'
import { HttpError } from '../http-error.ts'

export type Place = { readonly publicUrl: URL; readonly port: number }

/** Refuses requests that were sent to another name than ours: what a page with a rebound DNS name would send. */
export function checkHosts(app: FastifyInstance, place: Place): void {
  // Nearly everybody comes by the same name.
  let last = { host: '', publicUrl: place.publicUrl }
  app.addHook('onRequest', (request, _reply, next) => {
    const { host } = request.headers
    const { publicUrl } = place
    if (host !== undefined && host === last.host && publicUrl === last.publicUrl) return next()
    if (host !== undefined && isOurHost(host, place)) {
      last = { host, publicUrl }
      next()
    } else next(new HttpError(421, 'This instance does not answer under that name.'))
  })
}

function isOurHost(host: string, { publicUrl, port }: Place): boolean {
  if (host.toLowerCase() === publicUrl.host) return true
  if (!URL.canParse(`http://${host}`)) return false
  const asked = new URL(`http://${host}`)
  return isLoopbackName(asked.hostname) && (asked.port === '' ? 80 : Number(asked.port)) === port
}
