import { entityDocument } from '@cadmus/model/entity-document'
import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { paneTexts } from '@cadmus/model/messages/text-pane'
import { customEntityPath } from '@cadmus/model/paths'
import type { TextReading } from '@cadmus/model/text/marked-text'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { linksTo } from '@cadmus/model/text/created-links'
import { jsonFile } from '../api/download.ts'
import { entityQuery, importEntity, type LoadedEntity } from '../api/entities.ts'
import { messageOf } from '../api/error.ts'
import { queryClient } from '../api/query-client.ts'
import { currentScope } from '../api/scope.ts'
import type { Named } from '../commands/context.ts'
import { undoCreationAction } from '../commands/restore.ts'
import { editDraft } from '../drafts/edit-draft.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { notify } from '../ui/notices.ts'
import type { TextSource } from './text-source.ts'

/**
 * Creates the entities that only the text has, as an import does: it keeps their uids, by which relationships between them resolve. Relationships of
 * existing entities to them become steps of drafts. Returns why it stopped; null if all is done.
 */
export async function createEntities(
  { added, links }: TextReading,
  manifest: Named,
  source: TextSource,
): Promise<string | null> {
  const scope = currentScope()
  const created: LoadedEntity['entity'][] = []
  for (const content of added) {
    const path = customEntityPath(manifest.name, content.name)
    const file = jsonFile(content.name, entityDocument(content, { path, version: defaults.version }))
    try {
      created.push((await importEntity(file, manifest.id, { scope })).entity)
    } catch (failure) {
      const reason = messageOf(failure, messages.failed.createEntity)
      return paneTexts.createdSome(
        created.map(({ name }) => name),
        content.name,
        reason,
      )
    }
  }
  notify('success', paneTexts.created(created.length), undoCreationAction('entity', created))
  const fresh = new Map(created.map(entity => [entity.uid, entity]))
  for (const [id, edits] of links) {
    const existing = source.loaded(id)
    if (!existing) continue
    editDraft({ store: entityStore, saved: existing.entity, etag: existing.etag }, () => linksTo(edits, fresh))
  }
  for (const { uid, typeAttributes } of added) await choose(fresh.get(uid)?.id, typeAttributes)
  return null
}

/** An import keeps the choices alone. */
async function choose(id: number | undefined, attributes: readonly TypeAttribute[]): Promise<void> {
  const changes = attributes.flatMap(({ uid, enumeration, choices }) =>
    enumeration ? [{ uid, change: { enumeration, choices } }] : [],
  )
  if (id === undefined || changes.length === 0) return
  const { entity: saved, etag } = await queryClient.fetchQuery(entityQuery(id))
  editDraft({ store: entityStore, saved, etag }, () => [{ kind: 'changeAttributes' as const, changes }])
}
