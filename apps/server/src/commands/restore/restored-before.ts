import {
  type AuditDifference,
  configurationDifferences,
  entityDifferences,
  manifestDifferences,
} from '@cadmus/model/audit-differences'
import { withoutSecrets } from '@cadmus/model/configuration'
import { loggedEntry, type LoggedEntry } from '../../store/audit-of-target.ts'
import type { Tx } from '../../store/database.ts'
import { type DocumentPlace, entriesOfOperation, type LogRow } from '../../store/edit-log.ts'
import type { Change } from '../change.ts'
import { configurationStates, entityStates, manifestState } from '../logged-states.ts'
import { namesIn } from './restore-manifest.ts'
import type { Restored } from './restoring.ts'

/** What an operation that has restored the entry answered, read from the log. */
export async function restoredBefore(
  tx: Tx,
  { organisationId, operationId = '' }: Change,
  entry: LoggedEntry,
): Promise<Restored> {
  const { kind: of, target_id: id } = entry
  const kind = of === 'ENTITY' ? 'entity' : entry.content_kind === 'configuration' ? 'configuration' : 'manifest'
  const document = { kind, id } as const
  const entriesAt = async (place: { document?: DocumentPlace; newestFirst?: boolean }) =>
    (await entriesOfOperation(tx, organisationId, operationId, { ...place, limit: 1 }))[0]
  const whole = await entriesAt({})
  const reporting = whole && (await loggedEntry(tx, organisationId, whole))
  const { others = [], missing = [] } = reporting?.restoration.report ?? {}
  const [first, last] = [await entriesAt({ document }), await entriesAt({ document, newestFirst: true })]
  const { name, path } = (last && (await loggedEntry(tx, organisationId, last))) ?? entry
  const states = { before: first?.before ?? null, after: last?.after ?? null }
  const differences = await differencesOf(tx, organisationId, document, states)
  return { document: { ...document, name, path }, differences, others, missing }
}

async function differencesOf(
  tx: Tx,
  organisationId: number,
  { kind, id }: DocumentPlace,
  states: Pick<LogRow, 'before' | 'after'>,
): Promise<AuditDifference[]> {
  if (kind === 'entity') {
    const { before, after } = await entityStates(tx, organisationId, states)
    return entityDifferences(before, after)
  }
  if (kind === 'configuration') {
    const { before, after } = await configurationStates(tx, organisationId, id, states)
    return configurationDifferences(before && withoutSecrets(before), after && withoutSecrets(after))
  }
  const before = await manifestState(tx, organisationId, states.before)
  const after = await manifestState(tx, organisationId, states.after)
  const contents = [before, after].filter(content => content !== null)
  return manifestDifferences(before, after, await namesIn(tx, organisationId, contents))
}
