import { organisationHeader } from '@cadmus/model/contract/routes'
import { errorAnswer, type ErrorAnswer } from '@cadmus/model/contract/shared'
import { getEntity } from '@cadmus/model/contract/entity'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { organisationTables } from '../store/tables.ts'
import type { ConsoleClient } from './client.ts'
import type { TestConsole } from './console.ts'
import { organisationId } from './entities.ts'

/** Internals that must never leave the server: stacks, SQL, file paths. */
const inner =
  /\bat \S+ \(|\bat async |node:|node_modules|\.ts:\d|\/(?:srv|tmp|home|usr|work|root)\/|select .* from|insert into|update "|delete from|SQLITE|syntax error at|kysely|violates|invalid byte sequence|ZodError/i

/** Asserts a rejection that fulfils the contract (4xx, message, code, no internals) and returns it. */
export async function expectRejection(answer: Response): Promise<ErrorAnswer & { status: number }> {
  const text = await answer.text()
  if (answer.status < 400 || answer.status >= 500)
    throw new Error(`Not refused: ${answer.status} ${text.slice(0, 2000)}`)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  const refusal = errorAnswer.parse(JSON.parse(text))
  expect(refusal.message).not.toBe('')
  expect(text).not.toMatch(inner)
  return { status: answer.status, ...refusal }
}

/** Counts an organisation's rows per table, including running imports, except for contents, which are removed later. */
export async function rowCounts(server: TestConsole, organisation = 'ACME'): Promise<Record<string, number>> {
  const id = await organisationId(server, organisation)
  const counts: Record<string, number> = {}
  for (const table of organisationTables) {
    if (table === 'content') continue
    const { count } = await server.context.store
      .of(id)
      .selectFrom(table)
      .select(query => query.fn.countAll<number>().as('count'))
      .where('organisation_id', '=', id)
      .executeTakeFirstOrThrow()
    counts[table] = Number(count)
  }
  return counts
}

/** Asserts that the server is healthy and the organisation's data unchanged. */
export async function expectUnchanged(server: TestConsole, before: Record<string, number>): Promise<void> {
  expect(await isHealthy(server)).toBe(true)
  expect(await rowCounts(server)).toEqual(before)
}

export async function isHealthy(server: TestConsole): Promise<boolean> {
  const answers = await Promise.all(['/health', '/ready'].map(path => server.visitor().fetch(path)))
  return answers.every(answer => answer.status === 200)
}

/** Sends a request with an arbitrary body and headers as a signed-in user. */
export function sendRaw(
  client: ConsoleClient,
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Response> {
  const organisation = { [organisationHeader]: client.organisation ?? '' }
  return client.browser.fetch(path, {
    method,
    headers: { ...organisation, ...headers },
    ...(body === undefined ? {} : { body }),
  })
}

/** Sends raw bytes and returns the status line; '' without an answer. */
export async function sendBytes(server: TestConsole, bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let answer = ''
    socket.setTimeout(5000, () => socket.destroy())
    socket.on('data', data => {
      answer += data.toString('latin1')
      socket.destroy()
    })
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''))
    socket.on('error', error => (answer === '' ? reject(error) : resolve(answer)))
    socket.write(bytes)
  })
}

/** Runs the work while requesting the health and an entity as `other`. Returns the slowest answer in milliseconds. */
export async function measureSlowest(
  server: TestConsole,
  { other, entityId }: { other: ConsoleClient; entityId: number },
  work: () => Promise<unknown>,
): Promise<{ slowest: number; requests: number }> {
  let isOver = false
  const working = work().finally(() => void (isOver = true))
  let slowest = 0
  let requests = 0
  while (!isOver) {
    const start = performance.now()
    const [health] = await Promise.all([
      server.visitor().fetch('/health'),
      other.call(getEntity, { params: { id: entityId } }),
    ])
    if (health.status !== 200) throw new Error(`/health answered ${health.status}.`)
    slowest = Math.max(slowest, performance.now() - start)
    requests++
    await wait(60)
  }
  await working
  return { slowest, requests }
}
