import { createTrafficChecker, type TrafficChecker } from '@cadmus/testing/openapi-traffic'
import { expect } from 'vitest'
import type { TestInstance } from './instance.ts'

export type RestAnswer = {
  readonly status: number
  readonly headers: Headers
  /** As it came. */
  readonly text: string
  // Whatever the test expects of it.
  readonly body: Record<string, unknown>
}

/** Calls of one package, each of them and its answer checked against the package's own description. */
export type RestClient = {
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RestAnswer>
  /** A request that the description has no word for, or that is broken on purpose. */
  askRaw(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<RestAnswer>
}

/** `headers`: of whoever asks for the description. */
export async function restClient(
  instance: TestInstance,
  namespace = 'shop',
  headers: Record<string, string> = {},
): Promise<RestClient> {
  const root = `/api/${namespace}/1.0`
  const checker: TrafficChecker = await createTrafficChecker(
    JSON.parse(await (await instance.fetch(`${root}/openapi.json`, { headers })).text()),
  )
  const askRaw: RestClient['askRaw'] = async (method, path, body, given = {}) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await instance.fetch(root + path, {
      method,
      headers: { ...type, ...given },
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text === '' ? '{}' : text) }
  }
  return {
    askRaw,
    async ask(method, path, body, given) {
      const answer = await askRaw(method, path, body === undefined ? undefined : JSON.stringify(body), given)
      const exchange = { method, path: root + path, body: body ?? null, status: answer.status, answer: answer.body }
      expect(checker.problemsOf(exchange)).toEqual([])
      return answer
    },
  }
}
