import { hasOneHost, isForUs, type OwnPlace } from '@cadmus/model/own-host'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../http-error.ts'

/** Refuses requests for other host names, as sent by pages with a rebound DNS name. */
export function checkHosts(app: FastifyInstance, place: OwnPlace): void {
  // Caches the last accepted host, since most callers use the same.
  let last = { host: '', publicUrl: place.publicUrl }
  app.addHook('onRequest', ({ headers, raw }, _reply, next) => {
    const { host } = headers
    if (!hasOneHost(raw.rawHeaders)) return next(new HttpError(400, 'A request must have exactly one Host header.'))
    const { publicUrl } = place
    const isKnown = host === last.host && publicUrl === last.publicUrl && raw.url?.startsWith('/') === true
    if (host !== undefined && isKnown) return next()
    if (host !== undefined && isForUs(raw.url, host, place)) {
      last = { host, publicUrl }
      next()
    } else next(new HttpError(421, 'This host name is not configured for the instance.'))
  })
}
