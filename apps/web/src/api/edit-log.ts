import { readConfiguration, type Configuration } from '@cadmus/model/configuration'
import { restoreEntityLog, restoreManifestLog } from '@cadmus/model/contract/audit'
import type { CallAnswer, CallInput } from '@cadmus/model/contract/call'
import { listEntityLogs } from '@cadmus/model/contract/entity'
import { listManifestLogs } from '@cadmus/model/contract/manifest'
import { configurationEdits, entityEdits, listManifestChanges, manifestEdits } from '@cadmus/model/contract/edits'
import type { Cause } from '@cadmus/model/edits/edit-forms'
import type { EntityContent } from '@cadmus/model/entity'
import { newUid } from '@cadmus/model/uid'
import { callApi } from './client.ts'
import { isOutcomeUnknown } from './error.ts'
import { keyIn, keys, queryClient, scoped } from './query-client.ts'
import type { Scope } from './scope.ts'
import type { CallOptions } from './send.ts'

// The log of changes of one document.

export type LoggedKind = 'entity' | 'manifest' | 'configuration'

/** A change of a document. `before`, `after`: the tags of its states. */
export type LoggedChange = {
  sequence: number
  changeId: number
  entryId: number
  /** Null for changes of others. */
  operationId: string | null
  description: string
  version: string
  at: string
  actor: { name: string }
  own: boolean
  follows: boolean
  before: string | null
  after: string | null
  cause?: Cause | undefined
}

type Input = { params: { id: number }; query: { before: number } }

const readers: Record<LoggedKind, (input: Input, options: CallOptions) => Promise<{ entries: LoggedChange[] }>> = {
  entity: async (input, options) => callApi(entityEdits.list, input, options),
  manifest: async (input, options) => callApi(manifestEdits.list, input, options),
  configuration: async (input, options) => callApi(configurationEdits.list, input, options),
}

/** The newest changes, newest first. `etag`: of the document's present state, so that each state reads its own log. */
export function changesQuery(kind: LoggedKind, id: number, etag: string, scope?: Scope) {
  const read = async (options: CallOptions): Promise<readonly LoggedChange[]> =>
    (await readers[kind]({ params: { id }, query: { before: 0 } }, options)).entries
  return scoped(['edits', kind, id, etag], read, scope)
}

/** The query, disabled for a document without a log. */
export function whereLogged(query: ReturnType<typeof changesQuery> | null) {
  return { ...(query ?? changesQuery('entity', 0, '')), enabled: query !== null }
}

export type ManifestChange = LoggedChange & { document: { kind: string; id: number; name: string } }

/**
 * The caller's newest changes of the entities and the configuration of a manifest, newest first, or those before a sequence number. Below the
 * keys of manifests, as any save may add one.
 */
export function manifestChangesQuery(id: number, before?: number) {
  const read = async (options: CallOptions): Promise<readonly ManifestChange[]> =>
    (await callApi(listManifestChanges, { params: { id }, query: before === undefined ? {} : { before } }, options))
      .entries
  return scoped([...keys.manifests, 'changes', id, before ?? 'newest'], read)
}

/** An entry of another document that the same request changed. */
export type ChangedTogether = Pick<LoggedChange, 'sequence' | 'description'> & {
  document: { kind: string; id: number }
}

type States<C> = { before: C | null; after: C | null; others?: readonly ChangedTogether[] }

const statesKey = (id: number, sequence: number, scope: Scope) => keyIn(['edits', 'states', id, sequence], scope)

/** The states of a change that were read with those of others. They stay as they are. */
export function knownEntityStates(id: number, sequence: number, scope: Scope): States<EntityContent> | undefined {
  return queryClient.getQueryData(statesKey(id, sequence, scope))
}

export function rememberEntityStates(id: number, sequence: number, states: States<EntityContent>, scope: Scope): void {
  queryClient.setQueryData(statesKey(id, sequence, scope), states)
}

export async function entityStates(id: number, sequence: number, scope: Scope): Promise<States<EntityContent>> {
  const known = knownEntityStates(id, sequence, scope)
  return known ?? callApi(entityEdits.states, { params: { id, sequence } }, { scope })
}

export async function configurationStates(id: number, sequence: number, scope: Scope): Promise<States<Configuration>> {
  const { before, after } = await callApi(configurationEdits.states, { params: { id, sequence } }, { scope })
  return { before: before && readConfiguration(before), after: after && readConfiguration(after) }
}

export type RestoreBody = CallInput<typeof restoreEntityLog>['body']
export type Restored = CallAnswer<typeof restoreEntityLog>

/** Whether the state was already there, or nothing of it can be restored. */
export function changesNothing({ differences, others }: Restored): boolean {
  return differences.length === 0 && others.length === 0
}

/**
 * Restores the state of an entry of the audit logs; a dry run is the preview. Without an answer it is sent once more, which changes nothing
 * if the first request arrived. `operationId`: for attempts by hand after that.
 */
export async function restoreLog(
  kind: 'entity' | 'manifest',
  id: number,
  body: RestoreBody,
  scope: Scope,
): Promise<Restored> {
  const input = { params: { id }, body: { operationId: newUid(), ...body } }
  const send = async () =>
    kind === 'entity' ? callApi(restoreEntityLog, input, { scope }) : callApi(restoreManifestLog, input, { scope })
  return send().catch(async (failure: unknown) => {
    if (body?.dryRun || !isOutcomeUnknown(failure)) throw failure
    return send()
  })
}

/** The entry of the last creation or deletion of an entity or manifest in the audit logs. */
export async function lastEntry(
  kind: 'entity' | 'manifest',
  target: number,
  actionType: 'CREATE' | 'DELETE',
  scope: Scope,
): Promise<number | undefined> {
  const query = { actionType, target, limit: 1 }
  if (kind === 'entity') return (await callApi(listEntityLogs, { query }, { scope })).entityLogs[0]?.ID
  return (await callApi(listManifestLogs, { query }, { scope })).manifestLogs[0]?.ID
}
