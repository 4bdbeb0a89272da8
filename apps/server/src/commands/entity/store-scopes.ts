import { compareEntities } from '@cadmus/model/compare'
import { canonicalJson } from '@cadmus/model/content'
import { describeChanges } from '@cadmus/model/describe-changes'
import { entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import type { OperationScopes } from '@cadmus/model/operations'
import { isEqual } from '@cadmus/model/equal'
import { messages } from '@cadmus/model/messages'
import { putContent } from '../../store/content.ts'
import type { Db } from '../../store/database.ts'
import { writeScopes } from '../../store/entity-content.ts'
import { lockEntities } from '../../store/entity-lock.ts'
import { setEntityScopes } from '../../store/entity-scopes.ts'
import { setFrozenContent } from '../../store/entity-version.ts'
import type { StoredEntity } from '../../store/entity.ts'
import { entityEntry } from '../audit.ts'
import { type Change, WriteConflict, type Work } from '../change.ts'

/** Stores the organisation's own scopes of a predefined entity, separately from it. */
export async function storeOwnScopes(
  tx: Db,
  { organisationId }: Change,
  work: Work,
  { entity, operationScopes }: { entity: StoredEntity; operationScopes: OperationScopes },
): Promise<string> {
  if (isEqual(operationScopes, entity.content.operationScopes)) return entity.content_hash
  const content: EntityContent = { ...entity.content, operationScopes }
  // Both states belong to the organisation: later saves are merged against them, and the log shows them.
  await putContent(tx, organisationId, canonicalJson(entity.content))
  const hash = await putContent(tx, organisationId, canonicalJson(content))
  const text = writeScopes(operationScopes)
  const isSet = await setEntityScopes(tx, organisationId, entity.id, { from: entity.own_scopes, to: text })
  if (!isSet) throw new WriteConflict()
  work.audit(
    entityEntry(entity, {
      action: 'UPDATE',
      contentKind: 'scopes',
      description: describeChanges(compareEntities(entity.content, content)),
      before: entity.content_hash,
      after: hash,
      restoration: { ownScopes: entity.own_scopes },
      edits: entityEditsBetween(entity.content, content),
    }),
  )
  return hash
}

/** Stores the scopes of a frozen version, the only part that can be changed. */
export async function storeFrozenScopes(
  tx: Db,
  { store, organisationId }: Change,
  work: Work,
  change: {
    entity: StoredEntity
    version: { number: string; hash: string; content: EntityContent }
    operationScopes: OperationScopes
  },
): Promise<string> {
  const { entity, version, operationScopes } = change
  if (isEqual(operationScopes, version.content.operationScopes)) return version.hash
  const content: EntityContent = { ...version.content, operationScopes }
  const hash = await putContent(tx, organisationId, canonicalJson(content))
  await lockEntities(tx, store, organisationId, [entity.id])
  const step = { version: version.number, from: version.hash, to: hash }
  const frozen = await setFrozenContent(tx, organisationId, entity.id, step)
  if (!frozen) throw new WriteConflict()
  const description = describeChanges(compareEntities(version.content, content))
  work.audit(
    entityEntry(entity, {
      action: 'UPDATE',
      description: messages.audit.ofVersion(version.number, description),
      version: version.number,
      before: version.hash,
      after: hash,
      restoration: { versions: { put: [frozen], drop: [] } },
      edits: entityEditsBetween(version.content, content),
    }),
  )
  return hash
}
