import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { holdsMoreThan, isDeeperThan } from '@cadmus/model/json-depth'
import { limits } from '@cadmus/model/limits'
import { invalid } from '../http-error.ts'

/** Replaces the framework's JSON parser: limits depth and values before parsing, and refuses `__proto__`. */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    (request: FastifyRequest, body: string | Buffer, done) => {
      const text = typeof body === 'string' ? body : body.toString('utf8')
      if (text.trim() === '') return done(null, undefined)
      // In this order, because the count stops at its limit.
      if (holdsMoreThan(text, limits.callValues)) {
        return done(invalid(`The JSON contains more than ${limits.callValues} values.`))
      }
      if (isDeeperThan(text, limits.jsonDepth)) {
        return done(invalid(`The JSON is nested deeper than ${limits.jsonDepth} levels.`))
      }
      return void parse(request, text, (error, value) => {
        if (error === null) done(null, value)
        else done(invalid('The request body is not valid JSON.', error))
      })
    },
  )
}

/** For routes behind a hook that admits the caller before a large body is received. */
export function allowLargeBodies(route: RouteOptions): void {
  route.bodyLimit = limits.requestBody
}
