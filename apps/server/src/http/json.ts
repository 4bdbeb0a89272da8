import { hasMoreFormsThan, holdsMoreThan, isDeeperThan } from '@cadmus/model/json-depth'
import { limits } from '@cadmus/model/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { ApiError } from '../errors/api-error.ts'
import { LargeBodies } from './large-bodies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Digest of the JSON body as sent, for requests with an operation id; else ''. */
    bodyDigest: string
  }
}

/**
 * Replaces the framework's JSON parser: limits depth and size before parsing, and rejects `__proto__` and
 * `constructor.prototype`.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const largeBodies = new LargeBodies(app)
  app.decorateRequest('bodyDigest', '')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, body: string | Buffer) => {
      const text = typeof body === 'string' ? body : body.toString('utf8')
      if (hasOperationId(request)) request.bodyDigest = createHash('sha256').update(text).digest('base64url')
      if (text.trim() === '') return undefined
      return largeBodies.read(request, text, async () => {
        // The count comes first, so that an oversized text is not scanned to its end.
        if (holdsMoreThan(text, limits.jsonValues)) {
          throw new ApiError(400, 'malformed', `The JSON has more than ${limits.jsonValues} values.`)
        }
        if (isDeeperThan(text, limits.jsonDepth)) {
          throw new ApiError(400, 'malformed', `The JSON is nested deeper than ${limits.jsonDepth} levels.`)
        }
        if (hasMoreFormsThan(text, limits.jsonForms)) {
          throw new ApiError(400, 'malformed', `The JSON has objects of more than ${limits.jsonForms} different forms.`)
        }
        const { promise, resolve, reject } = Promise.withResolvers<unknown>()
        void parse(request, text, (error, value) => {
          if (error === null) return resolve(value)
          return reject(
            new ApiError(400, 'malformed', 'The request body is not valid JSON.', { detail: error.message }),
          )
        })
        return promise
      })
    },
  )
}

function hasOperationId({ query, routeOptions }: FastifyRequest): boolean {
  if (routeOptions.config.route?.call.repeatable === true) return true
  return typeof query === 'object' && query !== null && 'saveId' in query
}
