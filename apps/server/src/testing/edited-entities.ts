import { createEntity, getEntity } from '@cadmus/model/contract/entity'
import { entityEdits } from '@cadmus/model/contract/edits'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { entityContentSchema, type EntityContent } from '@cadmus/model/entity'
import { newUid } from '@cadmus/model/uid'
import type { ConsoleClient } from './client.ts'

export type EntityState = { id: number; etag: string; content: EntityContent }

/** The state of an entity as a client reads it. */
export async function openState(client: ConsoleClient, id: number): Promise<EntityState> {
  const { answer, etag } = await client.callWithTag(getEntity, { params: { id } })
  return { id, etag, content: entityContentSchema.parse(JSON.parse(answer.entity.content)) }
}

let count = 0

/** A new entity with five attributes beside its key. */
export async function createState(client: ConsoleClient): Promise<EntityState> {
  const typeAttributes = ['code', 'title', 'amount', 'since', 'note'].map(name => ({ name }))
  const body = { entity: { name: `Raced${++count}`, typeAttributes } }
  return openState(client, (await client.call(createEntity, { body })).entity.id)
}

export async function saveEditsOn(
  client: ConsoleClient,
  { id, etag }: EntityState,
  edits: readonly EntityEdit[],
  more: { operationId?: string; dryRun?: boolean } = {},
) {
  const body = { format: editFormat, operationId: newUid(), base: etag, edits: [...edits], ...more }
  return client.callWithTag(entityEdits.save, { params: { id }, body })
}
