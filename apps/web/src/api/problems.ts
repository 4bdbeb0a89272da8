import type { CallInput } from '@cadmus/model/contract/call'
import {
  findFixes,
  findProblems,
  type FixAnswer,
  type LiveProblem,
  type ProblemCounts,
  type ProblemPlace,
  type ProblemsAnswer,
} from '@cadmus/model/contract/problems'
import { useQuery } from '@tanstack/react-query'
import { callApi } from './client.ts'
import { keyIn, keys, queryClient, scoped } from './query-client.ts'
import { currentScope, type Scope } from './scope.ts'
import type { CallOptions } from './send.ts'

export type { FixAnswer, LiveProblem, ProblemCounts, ProblemPlace } from '@cadmus/model/contract/problems'

export type UnsavedEdits = Pick<CallInput<typeof findProblems>['body'], 'entities' | 'configuration'>

type Known<T> = T & { tag: string }
export type ProblemList = { problems: LiveProblem[]; more: number }

let unsavedEdits: (manifestId: number, scope: Scope) => UnsavedEdits = () => ({ entities: [], configuration: [] })

/** Sets how the unsaved edits of a manifest are collected, which this folder may not import. */
export function provideUnsavedEdits(collect: typeof unsavedEdits): void {
  unsavedEdits = collect
}

/** What waits for the request that is sent about a manifest: it has the edits made until it is sent. */
const turns = new Map<string, (() => void)[]>()

const keyOf = (id: number, scope: Scope) => JSON.stringify([scope, id])

/** Calls `request` at once unless it has to wait. */
async function inTurn<T>(key: string, request: () => Promise<T>): Promise<T> {
  const waiting = turns.get(key)
  if (waiting) await new Promise<void>(resolve => waiting.push(resolve))
  else turns.set(key, [])
  try {
    return await request()
  } finally {
    const next = turns.get(key)?.shift()
    if (next) next()
    else turns.delete(key)
  }
}

type List = { entity: number | null } | null
type Answer = Promise<ProblemsAnswer>
/** A request that is not sent yet, and those who wait for its answer: it has the numbers, too. */
type Due = { key: string; list: List; known: string | null; readers: (AbortSignal | undefined)[]; answer: Answer }
const due = new Set<Due>()

/** While readers are gathered, what sends their requests. */
let gathered: (() => void)[] | null = null

/** Sends what is read during `work` at its end: one request for the numbers and a list of the same manifest. */
export function readTogether(work: () => void): void {
  const sends: (() => void)[] = []
  gathered = sends
  try {
    work()
  } finally {
    gathered = null
  }
  for (const send of sends) send()
}

function read(id: number, list: List, known: string | null, { scope = currentScope(), signal }: CallOptions): Answer {
  const key = keyOf(id, scope)
  const isFor = (one: Due) => one.key === key && (!list || !one.list || one.list.entity === list.entity)
  const other = [...due].find(isFor)
  if (other) {
    other.list ??= list
    if (other.known !== known) other.known = null
    other.readers.push(signal)
    return other.answer
  }
  const { promise: answer, resolve } = Promise.withResolvers<ProblemsAnswer>()
  const own: Due = { key, list, known, readers: [signal], answer }
  due.add(own)
  const send = () => resolve(inTurn(key, () => ask(id, scope, own)))
  if (gathered) gathered.push(send)
  else send()
  return answer
}

async function ask(id: number, scope: Scope, own: Due): Answer {
  due.delete(own)
  const { list, known, readers } = own
  const stop = new AbortController()
  const leave = () => {
    if (readers.every(signal => signal?.aborted)) stop.abort()
  }
  for (const signal of readers) signal?.addEventListener('abort', leave)
  leave()
  stop.signal.throwIfAborted()
  const body = { ...unsavedEdits(id, scope), known, list }
  return callApi(findProblems, { params: { id }, body }, { scope, signal: stop.signal })
}

const partOf = (id: number, ...list: readonly unknown[]) => [...keys.manifests, 'problems', id, ...list] as const

/** Key of all queries about the problems of a manifest. */
export function problemsKey(id: number, scope = currentScope()) {
  return keyIn(partOf(id), scope)
}

/** Whether a key is that of a query for numbers of problems; its fourth part is then the manifest's id. */
export function isProblemCounts([, ...part]: readonly unknown[]): boolean {
  const [resource, problems, , counts] = partOf(0, 'counts')
  return part[0] === resource && part[1] === problems && part[3] === counts
}

/** Numbers of problems of a manifest with the user's unsaved edits. */
export function problemCountsQuery(id: number, scope = currentScope()) {
  const part = partOf(id, 'counts')
  const readCounts = async (options: CallOptions): Promise<Known<ProblemCounts>> => {
    const before = queryClient.getQueryData<Known<ProblemCounts>>(keyIn(part, scope))
    const { tag, counts } = await read(id, null, before?.tag ?? null, options)
    if (counts) return { ...counts, tag }
    if (before) return before
    throw new Error('The answer has no counts.')
  }
  return { ...scoped(part, readCounts, scope), structuralSharing: false }
}

/** The problems of a manifest, or of one of its entities, with the user's unsaved edits. */
export function problemListQuery(id: number, entity: number | null = null, scope = currentScope()) {
  const part = partOf(id, 'list', entity)
  const readList = async (options: CallOptions): Promise<Known<ProblemList>> => {
    const before = queryClient.getQueryData<Known<ProblemList>>(keyIn(part, scope))
    const { tag, problems, more } = await read(id, { entity }, before?.tag ?? null, options)
    if (problems) return { problems, more, tag }
    if (before) return before
    throw new Error('The answer has no problems.')
  }
  return { ...scoped(part, readList, scope), structuralSharing: false }
}

/** Numbers of problems of a manifest, with the user's unsaved edits; undefined until they are known. */
export function useProblemCounts(
  manifestId: number,
  enabled = true,
): Pick<ProblemCounts, 'errors' | 'warnings'> | undefined {
  return useQuery({ ...problemCountsQuery(manifestId), enabled }).data
}

/** Repairs of a problem, or with `place` null of all with the code. */
export async function problemFixes(
  id: number,
  { code, place, scope }: { code: string; place: ProblemPlace | null; scope: Scope },
): Promise<FixAnswer[]> {
  return inTurn(keyOf(id, scope), async () => {
    const body = { ...unsavedEdits(id, scope), code, place }
    const { fixes } = await callApi(findFixes, { params: { id }, body }, { scope })
    return fixes
  })
}
