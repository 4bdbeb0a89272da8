import { isDeeperThan } from '@cadmus/model/json-depth'
import { limits } from '@cadmus/model/limits'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors/api-error.ts'

/** Replaces the framework's JSON parser: the depth is counted before anything is built, `__proto__` and `constructor.prototype` are refused. */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = typeof body === 'string' ? body : body.toString('utf8')
    if (text.trim() === '') return done(null, undefined)
    if (isDeeperThan(text, limits.jsonDepth)) {
      return done(new ApiError(400, 'malformed', `The JSON is nested deeper than ${limits.jsonDepth} levels.`))
    }
    return parse(request, text, (error, value) => {
      if (error === null) return done(null, value)
      return done(new ApiError(400, 'malformed', 'The request body is not valid JSON.', { detail: error.message }))
    })
  })
}
