import { createTrafficChecker, type TrafficChecker } from '@cadmus/testing/openapi-traffic'
import { expect } from 'vitest'
import type { TestInstance } from './instance.ts'

export type RestAnswer = {
  readonly status: number
  readonly headers: Headers
  /** The unparsed body. */
  readonly text: string
  // Typed by the expectations of the test.
  readonly body: Record<string, unknown>
}

/** A client of one package. Requests and answers are validated against its OpenAPI description. */
export type RestClient = {
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RestAnswer>
  /** Sends a request without validation. */
  askRaw(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<RestAnswer>
}

/** `headers` are sent for the description. */
export async function restClient(
  instance: TestInstance,
  namespace = 'shop',
  headers: Record<string, string> = {},
): Promise<RestClient> {
  const root = `/api/${namespace}/1.0`
  const checker: TrafficChecker = await createTrafficChecker(
    JSON.parse(await (await instance.fetch(`${root}/openapi.json`, { headers })).text()),
  )
  const askRaw: RestClient['askRaw'] = async (method, path, body, requestHeaders = {}) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await instance.fetch(root + path, {
      method,
      headers: { ...type, ...requestHeaders },
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text === '' ? '{}' : text) }
  }
  return {
    askRaw,
    async ask(method, path, body, requestHeaders) {
      const answer = await askRaw(method, path, body === undefined ? undefined : JSON.stringify(body), requestHeaders)
      const exchange = { method, path: root + path, body: body ?? null, status: answer.status, answer: answer.body }
      expect(checker.problemsOf(exchange)).toEqual([])
      return answer
    },
  }
}
