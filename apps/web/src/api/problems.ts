import type { CallInput } from '@cadmus/model/contract/call'
import {
  findFixes,
  findProblems,
  type FixAnswer,
  type LiveProblem,
  type ProblemCounts,
  type ProblemPlace,
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

/** The last request about a manifest: the next one waits for it, and has the edits made until it is sent. */
const requests = new Map<string, Promise<unknown>>()

async function inTurn<T>(id: number, scope: Scope, request: () => Promise<T>): Promise<T> {
  const key = JSON.stringify([scope, id])
  const sent = (requests.get(key) ?? Promise.resolve()).catch(() => undefined).then(request)
  requests.set(key, sent)
  try {
    return await sent
  } finally {
    if (requests.get(key) === sent) requests.delete(key)
  }
}

async function read(id: number, list: { entity: number | null } | null, known: string | null, options: CallOptions) {
  const scope = options.scope ?? currentScope()
  return inTurn(id, scope, async () => {
    options.signal?.throwIfAborted()
    return callApi(findProblems, { params: { id }, body: { ...unsavedEdits(id, scope), known, list } }, options)
  })
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
  return inTurn(id, scope, async () => {
    const body = { ...unsavedEdits(id, scope), code, place }
    const { fixes } = await callApi(findFixes, { params: { id }, body }, { scope })
    return fixes
  })
}
