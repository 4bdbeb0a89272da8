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

/** Whether JSON text nests arrays and objects deeper than `depth`; brackets in strings do not count. */
export function isDeeperThan(text: string, depth: number): boolean {
  let open = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (inString) {
      if (character === 0x5c) at++
      else if (character === 0x22) inString = false
      continue
    }
    if (character === 0x22) inString = true
    else if (character === 0x7b || character === 0x5b) {
      open++
      if (open > depth) return true
    } else if (character === 0x7d || character === 0x5d) open--
  }
  return false
}
