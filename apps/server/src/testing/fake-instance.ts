import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = { status: number; json?: unknown; text?: string }
export type SeenRequest = { method: string; path: string; authorization: string; body: Buffer }

/** A fake instance with answers set by the test, by method and path without query. */
export type FakeInstance = {
  url: string
  seen: SeenRequest[]
  /** A list is used up one by one; its last answer repeats. */
  answers: Record<string, Answer | Answer[]>
  close: () => Promise<void>
}

export async function startFakeInstance(): Promise<FakeInstance> {
  const seen: SeenRequest[] = []
  const answers: FakeInstance['answers'] = {}
  const server = createServer((request, response) => void answer(request, response, seen, answers))
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    seen,
    answers,
    close: () => new Promise(resolve => void server.close(() => resolve())),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  seen: SeenRequest[],
  answers: FakeInstance['answers'],
): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  const { method = '', url: path = '', headers } = request
  seen.push({ method, path, authorization: headers.authorization ?? '', body: Buffer.concat(parts) })
  const configured = answers[`${method} ${path.split('?')[0]}`]
  const next = Array.isArray(configured) ? (configured.length > 1 ? configured.shift() : configured[0]) : configured
  const { status, json, text } = next ?? { status: 404, json: { message: 'There is nothing.' } }
  response.writeHead(status, { 'content-type': text === undefined ? 'application/json' : 'text/plain' })
  response.end(text ?? JSON.stringify(json ?? {}))
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return address.port
}
