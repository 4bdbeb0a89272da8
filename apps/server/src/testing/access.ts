import type { Call } from '@cadmus/model/contract/call'
import { allCalls, type CallId } from '@cadmus/model/testing/calls'
import { errorAnswer } from '@cadmus/model/contract/shared'
import { isProving } from '@cadmus/testing/proof'
import { allRoutes } from '../routes/all.ts'
import type { ConsoleClient } from './client.ts'
import type { StoreKind, TestConsole } from './console.ts'
import { createTestObjects, requests, type TestObjects } from './every-call.ts'
import { scriptOf } from './personal-tokens.ts'

/** All calls with a sample request. */
export const callIds = Object.keys(requests).filter((id): id is CallId => id in allCalls)

const handled = new Set(allRoutes.map(({ call }) => call.id))

/** The calls with a handler. */
export const handledIds = callIds.filter(id => handled.has(id))

export function callsFor(access: Call['access']): CallId[] {
  return handledIds.filter(id => allCalls[id].access === access)
}

/** All calls on the embedded store and in full proofs, otherwise a sample: the gate runs before the store is used. */
export function callsOn(store: StoreKind, ids: readonly CallId[]): readonly CallId[] {
  return store === 'sqlite' || isProving() ? ids : ids.filter((_, at) => at % 5 === 0)
}

/** Creates the test objects in the client's organisation, with an access token. */
export async function createTestObjectsAndToken(
  server: TestConsole,
  client: ConsoleClient,
  word: string,
): Promise<TestObjects> {
  const things = await createTestObjects(server, client, word)
  return { ...things, token: (await scriptOf(client, { name: `${word} token` })).id }
}

/** Returns the rejection of an answer; the code is 'ok' if it succeeded. */
export async function rejectionOf(answer: Response) {
  const text = await answer.text()
  if (answer.ok) return { status: answer.status, message: text, code: 'ok', text }
  return { status: answer.status, ...errorAnswer.parse(JSON.parse(text)), text }
}
